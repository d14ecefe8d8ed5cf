#include "agreement.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "closing.hpp"
#include "core.hpp"
#include "findings.hpp"
#include "futex.hpp"
#include "progress.hpp"

namespace jaxmpi {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kGlance = std::chrono::milliseconds(500);  // between looks whether the monitor responds

// Makes the word at least so large; whether it was smaller.
bool raise(Shared<std::uint64_t>& word, std::uint64_t to) {
    std::uint64_t found = word.load(std::memory_order_relaxed);
    while (found < to)
        if (word.compare_exchange_weak(found, to, std::memory_order_acq_rel)) return true;
    return false;
}

bool is_apart(const Header& header) { return header.together.load(std::memory_order_acquire) == Union::kApart; }

// It has ended the job, perhaps, and then itself.
void end_if_decided(const Header& header) {
    if (header.verdict.load(std::memory_order_acquire) != 0) wait_for_the_end();
}

// The monitor of the host of rank 0 prints a line if a different one does not respond.
void part_from_other_hosts(Header& header) {
    end_if_decided(header);
    if (header.together.exchange(Union::kApart, std::memory_order_acq_rel) == Union::kApart) return;
    header.agreements.fetch_add(1, std::memory_order_acq_rel);
    futex_wake(header.agreements);
    if (process().local_of_world(0) == kNone) return;
    say("strict: ranks no longer wait for those of other hosts, since the monitor of this host does not respond");
}

// Of a thread that waits, or that asks again and again.
void look_after_monitor() {
    static std::atomic<Clock::rep> next{0};
    const Clock::rep now = Clock::now().time_since_epoch().count();
    Clock::rep due = next.load(std::memory_order_relaxed);
    if (now < due || !next.compare_exchange_strong(due, now + Clock::duration(kGlance).count())) return;
    if (due != 0 && monitor_gone()) part_from_other_hosts(process().ledger.header());
}

}  // namespace

bool everybody_came(CommunicatorEntry& entry, std::uint64_t ordinal) {
    const Ledger& ledger = process().ledger;
    for (std::uint32_t i = 0; i < ledger.layout().local_ranks; ++i) {
        if ((entry.members[i / 64] >> i % 64 & 1) == 0) continue;
        const bool left = ledger.rank(i).state.load(std::memory_order_acquire) >= RankState::kFinalizing;
        if (!left && entry.lanes()[i].count.load(std::memory_order_acquire) <= ordinal) return false;
    }
    return true;
}

bool is_agreed(const Numbered& one) {
    const Ledger& ledger = process().ledger;
    const CommunicatorEntry* const entry = ledger.current(one.communicator);
    return entry == nullptr || entry->agreed.load(std::memory_order_acquire) > one.ordinal ||
           entry->unchecked.load(std::memory_order_relaxed) != 0 || is_apart(ledger.header());
}

void ask_to_agree(const Numbered& one) {
    CommunicatorEntry* const entry = process().ledger.current(one.communicator);
    if (entry == nullptr || entry->awaited.load(std::memory_order_relaxed) > one.ordinal) return;
    if (everybody_came(*entry, one.ordinal) && raise(entry->awaited, one.ordinal + 1)) ring_alarm();
}

void keep_going(const Numbered& one) {
    end_if_decided(process().ledger.header());
    ask_to_agree(one);
    make_progress();
    look_after_monitor();
}

void await_agreement(const Numbered& one) {
    for (Pauses pauses; !is_agreed(one); pauses.pause()) keep_going(one);
}

Pauses::Pauses() : serial_(process().ledger.header().agreements.load(std::memory_order_acquire)) {}

void Pauses::pause() {
    Shared<std::uint32_t>& agreements = process().ledger.header().agreements;
    futex_wait(agreements, serial_, seconds_);
    serial_ = agreements.load(std::memory_order_acquire);
    seconds_ = std::min(seconds_ * 1.5, kLongest);
}

}  // namespace jaxmpi
