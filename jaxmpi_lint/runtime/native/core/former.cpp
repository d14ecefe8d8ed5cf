#include "former.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "hashing.hpp"

namespace jaxmpi {
namespace {

bool has_members_elsewhere(const CommunicatorEntry& entry) {
    const int here = std::accumulate(std::begin(entry.members), std::end(entry.members), 0,
                                     [](int sum, std::uint64_t bits) { return sum + std::popcount(bits); });
    return entry.size > static_cast<std::uint32_t>(here);
}

// The first member adds as much as all others subtract. The sums over parts cancel out by themselves.
std::uint64_t term(const Former& one) {
    const std::uint64_t entered = combine(combine(one.id, one.count), combine(one.rolling, one.fine));
    return (one.rank == 0 ? one.size - 1 : std::uint64_t{0} - 1) * entered + one.sizes + one.kinds;
}

}  // namespace

void keep_former(CommunicatorEntry& entry, std::uint32_t index) {
    const Process& p = process();
    const Lane& lane = entry.lanes()[p.local];
    const bool member = lane.state.load(std::memory_order_relaxed) == static_cast<std::uint32_t>(LaneState::kMember);
    const std::uint64_t count = lane.count.load(std::memory_order_relaxed);
    if (!p.ledger.layout().other_hosts || !member || count == 0) return;
    if (entry.kind == CommunicatorKind::kInter || !has_members_elsewhere(entry)) return;
    const std::uint64_t position = p.block->former_count.fetch_add(1, std::memory_order_relaxed);
    Former& one = p.block->former[position % kFormer];
    one.serial.store(0, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    one.id = entry.id.load(std::memory_order_relaxed);
    one.count = count;
    one.rolling = lane.rolling.load(std::memory_order_relaxed);
    one.fine = lane.fine.load(std::memory_order_relaxed);
    one.sizes = lane.sizes.load(std::memory_order_relaxed);
    one.kinds = lane.kinds.load(std::memory_order_relaxed);
    one.index = index;
    one.site = lane.site;
    one.size = entry.size;
    one.rank = lane.rank;
    one.kind = entry.kind;
    one.private_ = entry.private_;
    one.unchecked = entry.unchecked.load(std::memory_order_relaxed) != 0 ? 1 : 0;
    std::ranges::copy(entry.name, one.name);
    p.block->former_sum.fetch_add(term(one), std::memory_order_relaxed);
    one.serial.store(position + 1, std::memory_order_release);
}

}  // namespace jaxmpi
