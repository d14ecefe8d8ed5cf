#include "compare.hpp"

#include "functions.hpp"
#include "hashing.hpp"

namespace jaxmpi {
namespace {

constexpr std::uint8_t kModes = kNonBlocking | kPersistent | kPickled;

// Where MPI_IN_PLACE is given on all ranks or on none; elsewhere it concerns the root, or each rank by itself.
bool in_place_together(std::uint16_t function) {
    switch (static_cast<Function>(function)) {
        case Function::kAllgather:
        case Function::kAllgatherv:
        case Function::kAlltoall:
        case Function::kAlltoallv:
        case Function::kAlltoallw:
        case Function::kAllreduce:
        case Function::kReduceScatter:
        case Function::kReduceScatterBlock:
            return true;
        default:
            return false;
    }
}

bool untyped(Base base) { return base == Base::kByte || base == Base::kPacked; }

Difference of_data(const Signature& a, const Signature& b) {
    if ((a.flags | b.flags) & kCountUnknown) return Difference::kNothing;
    if (a.elements == 0 && b.elements == 0) return Difference::kNothing;
    if (a.type_hash == b.type_hash && a.elements == b.elements) return Difference::kNothing;
    if (untyped(a.base) != untyped(b.base) && a.bytes == b.bytes) return Difference::kByteNote;
    const bool same_kind = a.base == b.base && a.width == b.width && a.base != Base::kMixed;
    if (same_kind || a.elements == 0 || b.elements == 0 || (untyped(a.base) && untyped(b.base))) return Difference::kCount;
    return Difference::kType;
}

}  // namespace

Difference difference(const Signature& a, const Signature& b) {
    if (a.function != b.function) return Difference::kKind;
    if ((a.flags & kModes) != (b.flags & kModes))
        return ((a.flags ^ b.flags) & kPickled) ? Difference::kKind : Difference::kBlocking;
    if (a.root != b.root) return Difference::kRoot;
    if (a.reduction != b.reduction) return Difference::kReduction;
    if (a.note != b.note) return Difference::kNoteField;
    if (in_place_together(a.function) && ((a.flags ^ b.flags) & kInPlace)) return Difference::kInPlaceUse;
    if (const Difference data = of_data(a, b); data != Difference::kNothing) return data;
    return a.reduction_site == b.reduction_site ? Difference::kNothing : Difference::kReductionSite;
}

bool is_error(Difference difference) {
    return difference != Difference::kNothing && difference != Difference::kReductionSite &&
           difference != Difference::kByteNote;
}

std::uint64_t fingerprint(const Signature& s) {
    std::uint64_t hash = s.function | std::uint64_t{static_cast<std::uint8_t>(s.flags & kModes)} << 16;
    if (in_place_together(s.function)) hash |= std::uint64_t{static_cast<std::uint8_t>(s.flags & kInPlace)} << 24;
    hash ^= std::uint64_t{static_cast<std::uint32_t>(s.root)} << 32;
    hash = combine(hash, std::uint64_t{s.reduction} << 32 | s.note);
    if (s.reduction_site != 0) hash = combine(hash, s.reduction_site);
    if (!(s.flags & kCountUnknown)) hash = combine(hash, s.type_hash);
    return hash;
}

std::uint64_t coarse(const Signature& s, bool between_groups) {
    std::uint64_t hash = combine(s.function, static_cast<std::uint8_t>(s.flags & kModes));
    hash = combine(hash, std::uint64_t{s.reduction} << 32 | s.note);
    if (!between_groups) hash = combine(hash, static_cast<std::uint32_t>(s.root));
    return hash;
}

}  // namespace jaxmpi
