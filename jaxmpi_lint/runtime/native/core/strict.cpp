// With the option `strict`: no rank begins a blocking collective before all ranks have entered it.
//
// Ranks of one host compare with each other as they enter it, and then wait until the last one has. Where the job spans
// hosts, they then wait until the monitors have found the collective equal on all of them, so that nothing is changed
// by a wrong one. The wait ends as well if the monitors do not compare the hosts (any more), or none responds.
#include <sched.h>

#include <algorithm>
#include <chrono>

#include "closing.hpp"
#include "collectives.hpp"
#include "futex.hpp"
#include "progress.hpp"

namespace jaxmpi {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFirstStep = 0.0002, kLongestStep = 0.002;  // seconds between probes, with which messages go on
constexpr auto kGlance = std::chrono::milliseconds(500);     // between looks whether the monitor responds

// Whether all local members have entered the same collective, or it is known that they never will.
bool everybody_came(const Communicator& comm, std::uint64_t ordinal) {
    const Ledger& ledger = process().ledger;
    for (std::uint32_t i = 0; i < ledger.layout().local_ranks; ++i) {
        if ((comm.entry->members[i / 64] >> i % 64 & 1) == 0) continue;
        const bool left = ledger.rank(i).state.load(std::memory_order_acquire) >= RankState::kFinalizing;
        if (!left && comm.entry->lanes()[i].count.load(std::memory_order_acquire) <= ordinal) return false;
    }
    return true;
}

// Makes the word at least so large; whether it was smaller.
bool raise(Shared<std::uint64_t>& word, std::uint64_t to) {
    std::uint64_t found = word.load(std::memory_order_relaxed);
    while (found < to)
        if (word.compare_exchange_weak(found, to, std::memory_order_acq_rel)) return true;
    return false;
}

bool is_apart(const Header& header) { return header.together.load(std::memory_order_acquire) == Union::kApart; }

// The monitor of the host of rank 0 prints a line if a different one does not respond.
void part_from_other_hosts(Header& header) {
    if (header.together.exchange(Union::kApart, std::memory_order_acq_rel) == Union::kApart) return;
    header.agreements.fetch_add(1, std::memory_order_acq_rel);
    futex_wake(header.agreements);
    if (process().local_of_world(0) == kNone) return;
    say("strict: ranks no longer wait for those of other hosts, since the monitor of this host does not respond");
}

// One rank of the host asks the monitor: the first that sees the others here.
void await_other_hosts(const Communicator& comm, std::uint64_t ordinal) {
    Header& header = process().ledger.header();
    CommunicatorEntry& entry = *comm.entry;
    const auto is_over = [&] {
        return entry.agreed.load(std::memory_order_acquire) > ordinal || is_apart(header) || !comm.compared();
    };
    if (is_over()) return;
    if (raise(entry.awaited, ordinal + 1)) ring_alarm();
    double step = kFirstStep;
    for (auto glance = Clock::now() + kGlance; !is_over(); step = std::min(step * 1.5, kLongestStep)) {
        if (header.verdict.load(std::memory_order_acquire) != 0) wait_for_the_end();
        const std::uint32_t serial = header.agreements.load(std::memory_order_acquire);
        make_progress();
        if (!is_over()) futex_wait(header.agreements, serial, step);
        if (const auto now = Clock::now(); now > glance) {
            glance = now + kGlance;
            if (monitor_gone()) part_from_other_hosts(header);
        }
    }
}

}  // namespace

void await_everybody(const Call& call, const Entered& entered) {
    const Communicator& comm = entered.comm();
    if (comm.everybody < 2 || !comm.compared()) return;
    const Wait wait{WaitKind::kCollective, 1, static_cast<std::uint8_t>(Flow::kAll), 0, kNobody, kAny, comm.index,
                    entered.ordinal()};
    const Waiting waiting(this_thread(), call, entered, wait);
    for (unsigned turn = 1; !everybody_came(comm, entered.ordinal()) && comm.compared(); ++turn) {
        if (turn % 256 != 0) continue;
        make_progress();
        sched_yield();
    }
    if (comm.members_here < static_cast<std::uint32_t>(comm.everybody)) await_other_hosts(comm, entered.ordinal());
}

}  // namespace jaxmpi
