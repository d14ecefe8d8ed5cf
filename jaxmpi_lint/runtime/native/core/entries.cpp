#include "entries.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdio>

namespace jaxmpi {
namespace {

void set_bit(std::uint64_t* bits, std::uint32_t at) { bits[at / 64] |= std::uint64_t{1} << at % 64; }
bool has_bit(const std::uint64_t* bits, std::uint32_t at) { return bits[at / 64] >> at % 64 & 1; }

// Both groups of an intercommunicator in an order on which both sides agree: the one with the lowest rank first.
void fill_members(CommunicatorEntry& entry, const Communicator& of) {
    const bool remote_first = of.inter && of.lowest() != *std::min_element(of.world.begin(), of.world.end());
    const auto& second = remote_first ? of.world : of.remote;
    for (const auto* group : {&of.world, &of.remote})
        for (const std::int32_t world : *group)
            if (const std::uint32_t local = process().local_of_world(world); local != kNone) set_bit(entry.members, local);
    for (const std::int32_t world : second)
        if (const std::uint32_t local = process().local_of_world(world); of.inter && local != kNone)
            set_bit(entry.remote, local);
}

// Entries are in use while their generation is odd.
void fill(CommunicatorEntry& entry, const Communicator& of, const Birth& birth) {
    std::fill(std::begin(entry.members), std::end(entry.members), 0);
    std::fill(std::begin(entry.remote), std::end(entry.remote), 0);
    fill_members(entry, of);
    entry.parent = birth.parent;
    entry.number = birth.number;
    entry.size = static_cast<std::uint32_t>(of.world.size() + of.remote.size());
    entry.kind = of.inter && birth.kind == CommunicatorKind::kIntra ? CommunicatorKind::kInter : birth.kind;
    entry.private_ = 0;
    std::snprintf(entry.name, sizeof entry.name, "%s", birth.name);
    for (Shared<std::uint64_t>& slot : entry.slots) slot.store(0, std::memory_order_relaxed);
    entry.unchecked.store(0, std::memory_order_relaxed);
    entry.generation.fetch_add(1, std::memory_order_release);
}

// One rank at a time looks for its entry and takes a free one, else two could take one each for the same id. A rank that
// was killed while it held the lock costs the others this bounded wait, and their new communicators the checks.
class TableLock {
  public:
    TableLock() {
        for (int i = 0; i < 100000 && !held_; ++i) {
            std::uint32_t nobody = 0;
            held_ = word().compare_exchange_weak(nobody, process().local + 1, std::memory_order_acq_rel);
            if (!held_) sched_yield();
        }
    }
    ~TableLock() {
        if (held_) word().store(0, std::memory_order_release);
    }
    TableLock(const TableLock&) = delete;
    TableLock& operator=(const TableLock&) = delete;
    explicit operator bool() const { return held_; }

  private:
    static Shared<std::uint32_t>& word() { return process().ledger.header().claiming; }
    bool held_ = false;
};

}  // namespace

std::uint32_t claim_entry(std::uint64_t id, const Communicator& communicator, const Birth& birth) {
    const Ledger& ledger = process().ledger;
    const TableLock lock;
    std::uint32_t free = kNone;
    for (std::uint32_t at = 0; lock && at < ledger.layout().communicators; ++at) {
        const std::uint64_t found = ledger.communicator(at).id.load(std::memory_order_acquire);
        if (found == id) return at;
        if (found == 0 && free == kNone) free = at;
    }
    if (free == kNone) {
        ledger.header().communicators_overflow.store(1, std::memory_order_relaxed);
        return kNone;
    }
    CommunicatorEntry& entry = ledger.communicator(free);
    fill(entry, communicator, birth);
    entry.id.store(id, std::memory_order_release);
    return free;
}

void release_entry(CommunicatorEntry& entry) {
    const std::uint32_t local_ranks = process().ledger.layout().local_ranks;
    Lane* lanes = entry.lanes();
    const Lane* first = nullptr;
    for (std::uint32_t local = 0; local < local_ranks; ++local) {
        if (!has_bit(entry.members, local)) continue;
        const Lane& lane = lanes[local];
        if (lane.state.load(std::memory_order_acquire) != static_cast<std::uint32_t>(LaneState::kFreed)) return;
        if (first == nullptr) first = &lane;
        if (lane.count.load(std::memory_order_relaxed) != first->count.load(std::memory_order_relaxed) ||
            lane.rolling.load(std::memory_order_relaxed) != first->rolling.load(std::memory_order_relaxed))
            return;
    }
    std::uint32_t generation = entry.generation.load(std::memory_order_acquire);
    if (!(generation & 1) || !entry.generation.compare_exchange_strong(generation, generation + 1)) return;
    for (std::uint32_t local = 0; local < local_ranks; ++local) {
        lanes[local].count.store(0, std::memory_order_relaxed);
        lanes[local].rolling.store(0, std::memory_order_relaxed);
        lanes[local].created.store(0, std::memory_order_relaxed);
        lanes[local].posted.store(0, std::memory_order_relaxed);
        lanes[local].state.store(static_cast<std::uint32_t>(LaneState::kOutside), std::memory_order_relaxed);
    }
    entry.id.store(0, std::memory_order_release);
}

}  // namespace jaxmpi
