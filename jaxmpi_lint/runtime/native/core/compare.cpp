#include "compare.hpp"

#include <array>
#include <bit>

#include "functions.hpp"

namespace jaxmpi {
namespace {

bool in_place_must_agree(const Signature& signature) { return kTable[signature.function].in_place_agrees; }

bool has_parts(const Signature& signature) {
    const Data data = kTable[signature.function].data;
    return data == Data::kGathered || data == Data::kCounts;
}

constexpr std::uint8_t kWhen = kNonBlocking | kPersistent;

bool in_place_differs(const Signature& mine, const Signature& theirs) {
    return ((mine.flags ^ theirs.flags) & kInPlace) != 0 && in_place_must_agree(mine);
}

// One group of an intercommunicator passes MPI_ROOT or MPI_PROC_NULL, which is kNobody here, the other a rank.
bool rooted(const Signature& signature) {
    const Flow flow = kTable[signature.function].flow;
    return flow == Flow::kFromRoot || flow == Flow::kToRoot;
}

bool root_differs(const Signature& mine, const Signature& theirs, Sides sides) {
    if (sides == Sides::kOtherGroup) return (mine.root == kNobody) == (theirs.root == kNobody) && rooted(mine);
    return mine.root != theirs.root;
}

bool byte_like(Base base) { return base == Base::kByte || base == Base::kPacked; }

Difference data_difference(const Signature& mine, const Signature& theirs) {
    if (((mine.flags | theirs.flags) & kCountUnknown) != 0) return Difference::kNothing;
    if (mine.elements == 0 && theirs.elements == 0) return Difference::kNothing;
    if (mine.type_hash == theirs.type_hash && mine.elements == theirs.elements) return Difference::kNothing;
    if (mine.elements == 0 || theirs.elements == 0) return Difference::kCount;
    if (byte_like(mine.base) || byte_like(theirs.base)) {
        if (mine.bytes != theirs.bytes) return Difference::kCount;
        return mine.base == theirs.base ? Difference::kNothing : Difference::kByteNote;
    }
    if (mine.base != theirs.base || mine.width != theirs.width) return Difference::kType;
    return mine.elements != theirs.elements ? Difference::kCount : Difference::kType;
}

}  // namespace

Difference difference(const Signature& mine, const Signature& theirs, Sides sides) {
    if (mine.function != theirs.function || ((mine.flags ^ theirs.flags) & kPickled) != 0) return Difference::kKind;
    if (((mine.flags ^ theirs.flags) & kWhen) != 0) return Difference::kBlocking;
    if (root_differs(mine, theirs, sides)) return Difference::kRoot;
    const bool both_reduce = mine.reduction != 0 && theirs.reduction != 0;
    if (both_reduce && mine.reduction != theirs.reduction) return Difference::kReduction;
    const Difference data = data_difference(mine, theirs);
    if (is_error(data)) return data;
    if (in_place_differs(mine, theirs)) return Difference::kInPlace;
    if (mine.note != 0 && theirs.note != 0 && mine.note != theirs.note)
        return has_parts(mine) ? Difference::kPart : Difference::kNote;
    const bool both_made = mine.reduction_site != 0 && theirs.reduction_site != 0;
    if (both_reduce && both_made && mine.reduction_site != theirs.reduction_site) return Difference::kReductionSite;
    return data;
}

std::uint32_t fingerprint(const Signature& signature) {
    Signature part = signature;
    if (!in_place_must_agree(part)) part.flags &= static_cast<std::uint8_t>(~kInPlace);
    const auto words = std::bit_cast<std::array<std::uint64_t, 6>>(part);
    const std::uint64_t all =
        folded(words[0], words[1]) ^ folded(words[2] + 1, words[3]) ^ folded(words[4] + 2, words[5]);
    return static_cast<std::uint32_t>(all >> 40) | 1;
}

std::uint64_t coarse(const Signature& signature, bool inter) {
    const bool sized = !inter && (signature.flags & (kCountUnknown | kPickled)) == 0;
    const std::uint64_t root = inter ? 0 : static_cast<std::uint32_t>(signature.root);
    const std::uint64_t what = signature.function | (signature.flags & (kWhen | kPickled)) << 16 |
                               std::uint64_t{inter ? 0 : signature.reduction} << 24;
    return folded(what << 20 ^ root, sized ? signature.bytes : 0);
}

Hashes hashes_of(const Signature& signature, bool inter) { return {fingerprint(signature), coarse(signature, inter)}; }

}  // namespace jaxmpi
