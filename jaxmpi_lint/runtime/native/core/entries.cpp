#include "entries.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "board.hpp"
#include "findings.hpp"
#include "former.hpp"
#include "series.hpp"

namespace jaxmpi {
namespace {

constexpr auto kPatience = std::chrono::seconds(2);
constexpr auto kGlance = std::chrono::milliseconds(10);  // between looks whether the owner of the lock lives

// A killed rank leaves the lock taken. What it wrote half is written anew: an entry has an id only once it is complete.
bool is_dead(std::uint32_t owner) {
    const Process& self = process();
    if (owner == 0 || owner > self.ledger.layout().local_ranks || owner == self.local + 1) return false;
    const Descriptor board = open_board(self.ledger.header().directory);
    return board && !rank_alive(board, owner - 1);
}

// One rank at a time creates or clears entries; the word holds its number on this host, plus one. Who waits longer than
// kPatience continues without an entry.
class EntryLock {
  public:
    EntryLock() : word_(process().ledger.header().claiming) {
        const auto begin = std::chrono::steady_clock::now();
        auto glance = begin + kGlance;
        for (std::uint32_t turn = 0;; ++turn) {
            if ((held_ = taken_from(0))) return;
            if (turn % 64 == 63) {
                const auto now = std::chrono::steady_clock::now();
                if (now - begin > kPatience) return;
                if (now > glance) {
                    const std::uint32_t owner = word_.load(std::memory_order_relaxed);
                    if (is_dead(owner) && (held_ = taken_from(owner))) return;
                    glance = now + kGlance;
                }
            }
            sched_yield();
        }
    }
    ~EntryLock() {
        if (held_) word_.store(0, std::memory_order_release);
    }
    EntryLock(const EntryLock&) = delete;
    EntryLock& operator=(const EntryLock&) = delete;
    explicit operator bool() const { return held_; }

  private:
    bool taken_from(std::uint32_t owner) {
        return word_.compare_exchange_strong(owner, process().local + 1, std::memory_order_acquire);
    }

    Shared<std::uint32_t>& word_;
    bool held_ = false;
};

std::uint32_t find(std::uint64_t id) {
    const Ledger& ledger = process().ledger;
    for (std::uint32_t i = 0; i < ledger.layout().communicators; ++i)
        if (ledger.communicator(i).id.load(std::memory_order_acquire) == id) return i;
    return kNone;
}

void add_members(const std::vector<std::int32_t>& ranks, std::uint64_t* bits, CommunicatorEntry& entry) {
    std::int32_t place = 0;
    for (const std::int32_t world : ranks) {
        const std::uint32_t local = world < 0 ? kNone : process().local_of_world(world);
        if (local < kLocalRanks) {
            bits[local / 64] |= std::uint64_t{1} << local % 64;
            entry.lanes()[local].rank = place;
        }
        ++place;
    }
}

void write_name(CommunicatorEntry& entry, std::string_view name) {
    const std::size_t length = std::min(name.size(), sizeof entry.name - 1);
    std::copy_n(name.data(), length, entry.name);
    entry.name[length] = 0;
}

std::int32_t lowest(const std::vector<std::int32_t>& ranks) {
    return ranks.empty() ? 0 : *std::ranges::min_element(ranks);
}

void fill(CommunicatorEntry& entry, const EntryIdentity& identity) {
    const std::uint32_t local_ranks = process().ledger.layout().local_ranks;
    for (std::uint32_t i = 0; i < local_ranks; ++i) {
        Lane& lane = entry.lanes()[i];
        lane.count.store(0, std::memory_order_relaxed);
        lane.rolling.store(0, std::memory_order_relaxed);
        lane.fine.store(0, std::memory_order_relaxed);
        lane.state.store(static_cast<std::uint32_t>(LaneState::kOutside), std::memory_order_relaxed);
        lane.created.store(0, std::memory_order_relaxed);
        lane.posted.store(0, std::memory_order_relaxed);
        lane.open.store(0, std::memory_order_relaxed);
        lane.sizes.store(0, std::memory_order_relaxed);
        lane.kinds.store(0, std::memory_order_relaxed);
        lane.rank = kNobody;
        lane.site = kNone;
        reset(lane.series);
        for (auto& pair : lane.checkpoints.hashes)
            for (auto& hash : pair) hash.store(0, std::memory_order_relaxed);
    }
    for (auto& slot : entry.slots) slot.store(0, std::memory_order_relaxed);
    entry.series.store(0, std::memory_order_relaxed);
    entry.series_from.store(0, std::memory_order_relaxed);
    std::ranges::fill(entry.members, 0);
    std::ranges::fill(entry.remote, 0);
    entry.parent = identity.parent;
    entry.number = identity.number;
    entry.kind = identity.kind;
    entry.private_ = identity.is_private ? 1 : 0;
    entry.unchecked.store(0, std::memory_order_relaxed);
    entry.failed.store(0, std::memory_order_relaxed);
    entry.awaited.store(0, std::memory_order_relaxed);
    entry.agreed.store(0, std::memory_order_relaxed);
    write_name(entry, identity.name);
    add_members(*identity.members, entry.members, entry);
    entry.size = static_cast<std::uint32_t>(identity.members->size());
    if (identity.remote != nullptr) {
        const bool remote_is_higher = lowest(*identity.members) < lowest(*identity.remote);
        std::uint64_t others[kLocalRanks / 64]{};
        add_members(*identity.remote, others, entry);
        std::copy_n(remote_is_higher ? others : entry.members, kLocalRanks / 64, entry.remote);
        std::transform(entry.members, std::end(entry.members), others, entry.members, std::bit_or<>());
        entry.size += static_cast<std::uint32_t>(identity.remote->size());
    }
}

std::uint32_t make(const EntryIdentity& identity) {
    const EntryLock lock;
    if (!lock) return kNone;
    if (const std::uint32_t made = find(identity.id); made != kNone) return made;  // another rank was faster
    const std::uint32_t place = find(0);
    if (place == kNone) return kNone;
    CommunicatorEntry& entry = process().ledger.communicator(place);
    fill(entry, identity);
    entry.generation.fetch_add(1, std::memory_order_relaxed);
    entry.id.store(identity.id, std::memory_order_release);
    return place;
}

// A glance without the lock, at nothing but what is atomic: the entry may be another's by now.
bool somebody_stays(CommunicatorEntry& entry) {
    for (std::uint32_t i = 0; i < process().ledger.layout().local_ranks; ++i)
        if (entry.lanes()[i].state.load() == static_cast<std::uint32_t>(LaneState::kMember)) return true;
    return false;
}

// Members whose histories do not agree leave the entry behind for the monitor to see.
bool everybody_left(CommunicatorEntry& entry) {
    const Lane* first = nullptr;
    for (std::uint32_t i = 0; i < process().ledger.layout().local_ranks; ++i) {
        const bool member = (entry.members[i / 64] >> i % 64 & 1) != 0;
        if (!member) continue;
        const Lane& lane = entry.lanes()[i];
        if (lane.state.load() != static_cast<std::uint32_t>(LaneState::kFreed)) return false;
        if (first == nullptr) first = &lane;
        const bool alike =
            lane.count.load(std::memory_order_relaxed) == first->count.load(std::memory_order_relaxed) &&
            lane.rolling.load(std::memory_order_relaxed) == first->rolling.load(std::memory_order_relaxed);
        if (!alike && entry.kind != CommunicatorKind::kInter) return false;
    }
    return true;
}

}  // namespace

std::uint32_t join_entry(const EntryIdentity& identity, std::uint32_t site) {
    std::uint32_t place = find(identity.id);
    if (place == kNone) place = make(identity);
    if (place == kNone) {
        Header& header = process().ledger.header();
        if (header.communicators_overflow.exchange(1) == 0)
            say("more communicators than the ledger can hold: the newest are not checked (increase the option "
                "communicators)");
        return kNone;
    }
    const Ledger& ledger = process().ledger;
    Lane& lane = ledger.communicator(place).lanes()[process().local];
    lane.site = site;
    lane.state.store(static_cast<std::uint32_t>(LaneState::kMember), std::memory_order_release);
    return ledger.index_of(place);
}

void leave_entry(std::uint32_t index) {
    CommunicatorEntry& entry = process().ledger.indexed(index);
    keep_former(entry, index);
    entry.lanes()[process().local].state.store(static_cast<std::uint32_t>(LaneState::kFreed));
    if (somebody_stays(entry)) return;
    const EntryLock lock;
    if (!lock || !everybody_left(entry) || entry.id.load(std::memory_order_relaxed) == 0) return;
    entry.generation.fetch_add(1, std::memory_order_relaxed);
    entry.id.store(0, std::memory_order_release);
}

void stop_checking(std::uint32_t index, const char* why) {
    if (index == kNone) return;
    CommunicatorEntry& entry = process().ledger.indexed(index);
    if (entry.unchecked.exchange(1, std::memory_order_acq_rel) != 0) return;
    end_series(entry);
    say((std::string(entry.name) + " is no longer checked: " + why).c_str());
}

}  // namespace jaxmpi
