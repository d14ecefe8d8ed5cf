#include "parts.hpp"

#include <cstdio>

#include "datatypes.hpp"
#include "hashing.hpp"

namespace jaxmpi {
namespace {

// One word for each pair that is waiting for its second side: 24 bits of tag, 8 bits of type, 32 bits of bytes. A slot
// that another pair has taken compares nothing.
constexpr std::uint64_t kTagMask = ~std::uint64_t{0} << 40;

struct Part {
    std::uint64_t bytes;
    std::uint8_t type;  // 0: untyped bytes, or nothing
};

std::uint64_t key_of(const Communicator& c, std::uint64_t ordinal, std::int32_t from, std::int32_t to) {
    const std::uint64_t pair = std::uint64_t{static_cast<std::uint32_t>(from)} << 32 | static_cast<std::uint32_t>(to);
    return combine(combine(c.entry->id.load(std::memory_order_relaxed), ordinal), pair);
}

bool agree(Part a, Part b) {
    if (a.bytes != b.bytes) return false;
    return a.bytes == 0 || a.type == b.type || a.type == 0 || b.type == 0;
}

class Comparison {
  public:
    Comparison(const Communicator& c, std::uint64_t ordinal, std::uint32_t site) : c_(c), ordinal_(ordinal), site_(site) {}

    // My side of what rank `from` sends to rank `to` (both in the communicator); `peer` is the other one of the two.
    void side(std::int32_t from, std::int32_t to, std::int32_t peer, Part mine) {
        if (decision_ == Decision::kRaise || process().local_of_world(c_.world_of(peer)) == kNone) return;
        const std::uint64_t key = key_of(c_, ordinal_, from, to);
        Shared<std::uint64_t>& place = process().ledger.parts()[key % kParts];
        const std::uint64_t word = (key & kTagMask) | std::uint64_t{mine.type} << 32 | (mine.bytes & 0xffffffff);
        std::uint64_t found = place.load(std::memory_order_acquire);
        if ((found & kTagMask) != (key & kTagMask) || found == 0) {
            place.compare_exchange_strong(found, word, std::memory_order_acq_rel);
            if ((found & kTagMask) != (key & kTagMask) || found == 0) return;
        }
        place.compare_exchange_strong(found, 0, std::memory_order_acq_rel);
        const Part theirs{found & 0xffffffff, static_cast<std::uint8_t>(found >> 32 & 0xff)};
        if (!agree({mine.bytes & 0xffffffff, mine.type}, theirs)) tell(peer, mine, theirs, from);
    }

    Decision decision() const { return decision_; }

  private:
    void tell(std::int32_t peer, Part mine, Part theirs, std::int32_t from) {
        Finding finding{};
        finding.kind = FindingKind::kCounts;
        finding.difference = Difference::kPart;
        finding.communicator = c_.index;
        finding.ordinal = ordinal_;
        finding.rank = process().local;
        finding.other = process().local_of_world(c_.world_of(peer));
        finding.site = site_;
        finding.other_site = kNone;
        finding.when = ticks();
        finding.mine_bytes = mine.bytes;
        finding.theirs_bytes = theirs.bytes;
        finding.mine.root = from;
        std::snprintf(finding.text, sizeof finding.text, "%s", from == c_.rank ? "sends" : "expects");
        decision_ = report_and_hold(finding);
    }

    const Communicator& c_;
    std::uint64_t ordinal_;
    std::uint32_t site_;
    Decision decision_ = Decision::kForward;
};

Part part(Word datatype, std::int64_t items) {
    const TypeSequence one = type_sequence(handle(datatype));
    const std::uint64_t bytes = one.bytes * static_cast<std::uint64_t>(items < 0 ? 0 : items);
    const bool typed = one.known && one.base != Base::kByte && one.base != Base::kPacked && one.base != Base::kMixed;
    return {bytes, typed ? static_cast<std::uint8_t>((static_cast<unsigned>(one.base) << 5 ^ one.width) | 1) : std::uint8_t{0}};
}

Part part_at(const Call& call, Role counts, Role type, std::int32_t i) {
    return part(call[type], count_at(call.info, call[counts], static_cast<std::size_t>(i)));
}

Part typed_part_at(const Call& call, Role counts, Role types, std::int32_t i) {
    return part(handle_at(call[types], static_cast<std::size_t>(i)), count_at(call.info, call[counts], static_cast<std::size_t>(i)));
}

Part own(const Call& call, Role count_role, Role type) { return part(call[type], count(call.info, call[count_role])); }

}  // namespace

Decision compare_parts(const Call& call, const Communicator& c, std::uint64_t ordinal, std::uint32_t site) {
    if (c.inter || c.size < 2) return Decision::kForward;
    Comparison compare(c, ordinal, site);
    const Word in_place = process().abi->in_place;
    const auto each_peer = [&c](auto visit) {
        for (std::int32_t i = 0; i < c.size; ++i)
            if (i != c.rank) visit(i);
    };
    switch (call.info.blocking) {
        case Function::kGatherv:
            if (const std::int32_t root = integer(call[Role::kRoot]); root != c.rank)
                compare.side(c.rank, root, root, own(call, Role::kSendcount, Role::kSendtype));
            else
                each_peer([&](std::int32_t i) { compare.side(i, root, i, part_at(call, Role::kRecvcounts, Role::kRecvtype, i)); });
            break;
        case Function::kScatterv:
            if (const std::int32_t root = integer(call[Role::kRoot]); root != c.rank)
                compare.side(root, c.rank, root, own(call, Role::kRecvcount, Role::kRecvtype));
            else
                each_peer([&](std::int32_t i) { compare.side(root, i, i, part_at(call, Role::kSendcounts, Role::kSendtype, i)); });
            break;
        case Function::kAllgatherv:
            each_peer([&](std::int32_t i) {
                compare.side(c.rank, i, i, call[Role::kSendbuf] == in_place ? part_at(call, Role::kRecvcounts, Role::kRecvtype, c.rank)
                                                                            : own(call, Role::kSendcount, Role::kSendtype));
                compare.side(i, c.rank, i, part_at(call, Role::kRecvcounts, Role::kRecvtype, i));
            });
            break;
        case Function::kAlltoallv:
        case Function::kAlltoallw: {
            const bool typed = call.info.blocking == Function::kAlltoallw;
            const bool received_only = call[Role::kSendbuf] == in_place;
            const auto at = [&](Role counts, Role type, Role types, std::int32_t i) {
                return typed ? typed_part_at(call, counts, types, i) : part_at(call, counts, type, i);
            };
            each_peer([&](std::int32_t i) {
                const Part expected = at(Role::kRecvcounts, Role::kRecvtype, Role::kRecvtypes, i);
                compare.side(c.rank, i, i, received_only ? expected : at(Role::kSendcounts, Role::kSendtype, Role::kSendtypes, i));
                compare.side(i, c.rank, i, expected);
            });
            break;
        }
        default:
            break;
    }
    return compare.decision();
}

bool refuse_freed(const Call& call, std::uint32_t site) {
    std::uint32_t freed_at = kNone;
    if (!was_freed(call[Role::kComm], &freed_at)) return false;
    Finding finding{};
    finding.kind = FindingKind::kUseAfterFree;
    finding.communicator = kNone;
    finding.rank = process().local;
    finding.other = kNone;
    finding.site = site;
    finding.other_site = freed_at;
    finding.when = ticks();
    finding.mine.function = static_cast<std::uint16_t>(call.info.blocking);
    std::snprintf(finding.text, sizeof finding.text, "%s on a communicator that this rank has freed", call.info.name);
    return report_and_hold(finding) == Decision::kRaise;
}

}  // namespace jaxmpi
