#include "preflight.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>

#include "announcement.hpp"
#include "compare.hpp"
#include "findings.hpp"
#include "labels.hpp"
#include "operations.hpp"
#include "overtaken.hpp"
#include "prediction.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

constexpr std::size_t kMostFindings = 8;  // other ranks that are named

struct State {
    std::mutex mutex;
    std::vector<KnownOperation*> waiting;  // announced, not begun
    std::atomic<bool> is_waiting{false};
    std::atomic<const ThreadContext*> starts{nullptr};  // the thread that starts functions
    std::atomic<bool> given_up{false};
};

State& state() {
    static auto* const one = new State;  // never destroyed: operations may run until the very end
    return *one;
}

struct Ahead {
    Announced what;
    Communicator* comm;
    bool first;  // the operation that is beginning right now
};

struct Differs {
    const Ahead* mine;
    std::uint32_t rank;  // local
    Difference difference;
    Signature theirs;
    std::uint32_t site, label;
};

Announced announced(KnownOperation& operation, const Predicted& predicted, std::uint64_t ordinal) {
    return {ordinal, predicted.comm->index, operation.own_site(), operation.label, 0, predicted.signature};
}

// The collectives among them that other ranks take part in, up to the first of which nothing is known.
std::vector<Ahead> collectives_of(const std::vector<KnownOperation*>& operations) {
    std::vector<Ahead> found;
    std::map<const Communicator*, std::uint64_t> next;
    for (KnownOperation* const& one : operations) {
        if (!one->is_collective()) continue;
        Predicted predicted{};
        if (found.size() == kAhead || !predict(one->what, predicted) || predicted.comm->inter) break;
        const Communicator& comm = *predicted.comm;
        if (comm.everybody < 2 || comm.lane == nullptr || !comm.compared()) continue;
        const auto at = next.try_emplace(&comm, comm.lane->count.load(std::memory_order_relaxed)).first;
        found.push_back({announced(*one, predicted, at->second++), predicted.comm, &one == operations.data()});
    }
    return found;
}

bool is_member(const Communicator& comm, std::uint32_t local) {
    return (comm.entry->members[local / 64] >> local % 64 & 1) != 0;
}

// What rank `local` has entered or announced.
class Other {
  public:
    explicit Other(std::uint32_t local) : local_(local), ahead_(read_announcement(process().ledger, local)) {}

    // Whether it is known to differ in this collective; `entered`: it is in it, or past it.
    bool differs(const Ahead& mine, Differs& found, bool& entered) {
        if (!is_member(*mine.comm, local_)) return false;
        const std::uint64_t count = mine.comm->entry->lanes()[local_].count.load(std::memory_order_acquire);
        entered = mine.what.ordinal < count;
        found = {&mine, local_, Difference::kNothing, {}, kNone, 0};
        if (!(entered ? recorded(mine, found) : foreseen(mine, found))) return false;
        found.difference = difference(mine.what.signature, found.theirs, Sides::kOneGroup);
        return is_error(found.difference) && mine.comm->compared();
    }

  private:
    bool recorded(const Ahead& mine, Differs& found) {
        return find_recorded(process().ledger, local_, mine.what.communicator, mine.what.ordinal,
                             searched_[mine.what.communicator], found.theirs, found.site);
    }

    bool foreseen(const Ahead& mine, Differs& found) const {
        const auto at = std::ranges::find_if(ahead_, [&](const Announced& one) {
            return one.communicator == mine.what.communicator && one.ordinal == mine.what.ordinal;
        });
        if (at == ahead_.end()) return false;
        found.theirs = at->signature;
        found.site = at->site;
        found.label = at->label;
        return true;
    }

    std::uint32_t local_;
    std::vector<Announced> ahead_;
    std::map<std::uint32_t, std::uint64_t> searched_;  // of its history, for each communicator
};

// The first collective in which each of the others differs. What is entered right now is compared there anyway.
std::vector<Differs> differences(const std::vector<Ahead>& mine) {
    std::vector<Differs> found;
    const Ledger& ledger = process().ledger;
    for (std::uint32_t local = 0; local < ledger.layout().local_ranks && found.size() < kMostFindings; ++local) {
        if (local == process().local || ledger.rank(local).state.load() != RankState::kRunning) continue;
        Other other(local);
        for (const Ahead& one : mine) {
            Differs what{};
            bool entered = false;
            if (!other.differs(one, what, entered)) continue;
            if (!one.first || !entered) found.push_back(what);
            break;
        }
    }
    return found;
}

void fill(Finding& finding, const Differs& what) {
    const Announced& mine = what.mine->what;
    finding.kind = FindingKind::kAnnounced;
    finding.difference = what.difference;
    finding.communicator = mine.communicator;
    finding.ordinal = mine.ordinal;
    finding.rank = process().local;
    finding.other = what.rank;
    finding.site = mine.site;
    finding.other_site = what.site;
    finding.when = ticks();
    finding.mine = mine.signature;
    finding.theirs = what.theirs;
    std::snprintf(finding.text, sizeof finding.text, "%s %s", kLabels[mine.label].name, kLabels[what.label].name);
}

// Nothing is refused here: the call is judged again when it is made.
void tell(const std::vector<Differs>& found) {
    for (const Differs& one : found) {
        Finding finding{};
        fill(finding, one);
        if (&one != &found.back())
            report(finding);
        else
            (void)report_and_hold(finding);
    }
}

// Whether operations that this rank announced last were not executed although its function has ended: it failed.
bool failed_before() {
    const Ledger& ledger = process().ledger;
    const auto is_open = [&](const Announced& one) {
        const bool lives = ledger.index_of(one.communicator & ((1U << kPlaceBits) - 1)) == one.communicator;
        return lives && ledger.indexed(one.communicator).lanes()[process().local].count.load() <= one.ordinal;
    };
    return std::ranges::any_of(read_announcement(ledger, process().local), is_open);
}

// From now on the announcements of this rank are not reliable.
void give_up() {
    if (process().phase.load(std::memory_order_relaxed) != Phase::kActive || process().process != own_process()) return;
    if (!state().given_up.exchange(true)) write_announcement({});
}

}  // namespace

void announce(const std::vector<std::uint64_t>& keys) {
    State& all = state();
    const ThreadContext& thread = this_thread();
    if (all.given_up.load() || thread.launching != 1 || thread.paused != 0) return;
    if (failed_before()) return give_up();
    std::vector<KnownOperation*> operations;
    for (const std::uint64_t key : keys) {
        KnownOperation* const known = operation(key);
        if (known == nullptr) break;
        operations.push_back(known);
    }
    if (operations.empty()) return;
    const std::lock_guard lock(all.mutex);
    all.waiting = std::move(operations);
    all.waiting.front()->leads.store(true, std::memory_order_release);
    all.is_waiting.store(true, std::memory_order_release);
}

void forget_announced(const ThreadContext& thread) {
    State& all = state();
    const ThreadContext* before = nullptr;
    if (!all.starts.compare_exchange_strong(before, &thread) && before != &thread) give_up();
    if (!all.is_waiting.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(all.mutex);
    if (!all.waiting.empty()) all.waiting.front()->leads.store(false, std::memory_order_release);
    all.waiting.clear();
    all.is_waiting.store(false, std::memory_order_release);
}

void begin_announced(KnownOperation& first, const ThreadContext& thread) {
    State& all = state();
    std::vector<KnownOperation*> operations;
    {
        const std::lock_guard lock(all.mutex);
        first.leads.store(false, std::memory_order_release);
        if (all.waiting.empty() || all.waiting.front() != &first) return;
        operations.swap(all.waiting);
        all.is_waiting.store(false, std::memory_order_release);
    }
    if (all.given_up.load() || thread.paused != 0) return;
    const std::vector<Ahead> ahead = collectives_of(operations);
    if (ahead.empty() || (ahead.size() == 1 && ahead.front().first)) return;
    std::vector<Announced> told;
    for (const Ahead& one : ahead) told.push_back(one.what);
    write_announcement(told);
    tell(differences(ahead));
}

void operation_failed() { give_up(); }

}  // namespace jaxmpi
