#include "ordering.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string>

#include "communicators.hpp"
#include "dispatch.hpp"
#include "entries.hpp"
#include "findings.hpp"
#include "labels.hpp"
#include "operations.hpp"
#include "preflight.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

// The first call of the program's own since the operation was last started that it would have to wait for.
struct Own {
    std::uint64_t launch = 0;  // 0: none
    std::uint32_t site = kNone;
    std::uint32_t label = 0;
    Function function = Function::kNothing;
    bool beside = false;  // it cannot be matched with the operation
};

struct Started {
    KnownOperation* operation;
    const ThreadContext* by;
    std::uint64_t launch = 0;  // the last one that contains it
    Own own{};
};

struct Order {
    std::mutex mutex;
    std::vector<Started> started;
    std::uint64_t launches = 0;
};

constexpr std::size_t kMany = 256;

// Its communicator is freed.
bool is_past(const Started& one) {
    const Communicator* const now = communicator(one.operation->what.comm);
    return now == nullptr || now->id != one.operation->what.communicator;
}

Order& order() {
    static auto* const one = new Order;  // never destroyed: operations may run until the very end
    return *one;
}

bool takes(const End& receives, const End& sends) {
    const Abi& abi = *process().abi;
    return receives.there && sends.there && (receives.peer == abi.any_source || receives.peer == sends.peer) &&
           (receives.tag == abi.any_tag || receives.tag == sends.tag);
}

// What a call does on its communicator.
struct Use {
    bool collective = false;
    End sends, receives;

    bool meets(const KnownOperation& other) const {
        if (collective || other.is_collective()) return collective && other.is_collective();
        const End& sent = other.what.sends;
        const bool same_sends =
            sends.there && sent.there && sends.peer == sent.peer && sends.tag == sent.tag && !nowhere(sends);
        const bool same_receives = takes(receives, other.what.receives) || takes(other.what.receives, receives);
        return same_sends || (same_receives && !nowhere(receives) && !nowhere(other.what.receives));
    }

  private:
    static bool nowhere(const End& end) { return end.peer == process().abi->proc_null; }
};

End end(const Call& call, Role peer, Role tag) { return {true, integer(call[peer]), integer(call[tag])}; }

bool describe(const Call& call, Use& use) {
    if (!call.has(Role::kComm) || call.info.persistent) return false;
    switch (call.info.category) {
        case Category::kCollective:
        case Category::kCommunicator:
            use.collective = true;
            return true;
        case Category::kSend:
            if (!call.has(Role::kDest) || !call.has(Role::kTag)) return false;
            use.sends = end(call, Role::kDest, Role::kTag);
            return true;
        case Category::kReceive:
            if (!call.has(Role::kSource) || !call.has(Role::kTag)) return false;
            use.receives = end(call, Role::kSource, Role::kTag);
            return true;
        case Category::kExchange:
            use.sends = end(call, Role::kDest, Role::kSendtag);
            use.receives = end(call, Role::kSource, Role::kRecvtag);
            return true;
        case Category::kProbe:
            if (call.info.blocking != Function::kMprobe) return false;
            use.receives = end(call, Role::kSource, Role::kTag);
            return true;
        default:
            return false;
    }
}

const char* name_of(const Own& own) {
    return own.label != 0 ? kLabels[own.label].name : kTable[static_cast<std::size_t>(own.function)].name;
}

Decision tell(const Started& one, bool overtaken) {
    Finding finding{};
    finding.kind = FindingKind::kUnordered;
    finding.difference = overtaken ? Difference::kKind : Difference::kNothing;
    const Communicator* const comm = communicator(one.operation->what.comm);
    finding.communicator = comm == nullptr ? kNone : comm->index;
    finding.rank = finding.other = process().local;
    finding.site = one.own.site;
    finding.other_site = one.operation->own_site();
    finding.when = ticks();
    finding.mine.function = static_cast<std::uint16_t>(one.own.function);
    finding.mine.flags = kCountUnknown;
    finding.mine.root = finding.theirs.root = kNobody;
    std::snprintf(finding.text, sizeof finding.text, "%s: %s %s", one.operation->what.name.c_str(), name_of(one.own),
                  overtaken ? "was executed before it, although the program had started it first"
                            : "was called while it was still in progress");
    if (overtaken) return report_and_hold(finding);
    report(finding);
    return Decision::kForward;
}

// The call of the program's own goes into the books of everything started on the communicator that it could be matched
// with; what is inside MPI at this moment is reported.
void note(const ThreadContext& thread, Word comm, const Use& use, Own own) {
    const Communicator* const known = communicator(comm);
    if (known == nullptr) return;
    std::vector<Started> under_way;
    bool beside = false;
    {
        const std::lock_guard lock(order().mutex);
        for (Started& one : order().started) {
            const Operation& what = one.operation->what;
            const bool same = one.by == &thread && what.comm == comm && what.communicator == known->id;
            if (!same || !use.meets(*one.operation)) continue;
            const bool running = one.operation->running.load(std::memory_order_acquire) != 0;
            beside |= own.beside && (running || !one.operation->begun.load(std::memory_order_acquire));
            if (one.own.launch == one.launch && one.own.beside <= own.beside) continue;
            own.launch = one.launch;
            if (own.site == kNone) own.site = call_site();
            one.own = own;
            one.operation->met.store(true, std::memory_order_release);
            if (running) under_way.push_back(one);
        }
    }
    for (const Started& one : under_way) tell(one, false);
    if (beside) stop_checking(known->index, "operations of mpi4jax and methods of mpi4py use it concurrently");
}

}  // namespace

void launch_begins(const std::vector<std::uint64_t>& keys, bool alone) {
    if (process().phase.load(std::memory_order_relaxed) != Phase::kActive || process().process != own_process()) return;
    ThreadContext& thread = this_thread();
    ++thread.launching;
    thread.launched_at = call_site();
    const Reading reading(thread.reader);
    forget_announced(thread);
    const std::lock_guard lock(order().mutex);
    Order& all = order();
    ++all.launches;
    if (all.started.size() > kMany) std::erase_if(all.started, is_past);
    for (const std::uint64_t key : keys) {
        KnownOperation* const known = operation(key);
        if (known == nullptr) continue;
        known->launch(thread, alone);
        if (known->what.comm == 0) continue;  // our collectives are over when their function returns
        thread.launched = true;
        auto at = std::ranges::find(all.started, known, &Started::operation);
        if (at == all.started.end()) at = all.started.insert(at, Started{known, &thread});
        at->by = &thread;
        at->launch = all.launches;
        known->begun.store(false, std::memory_order_release);
        known->met.store(false, std::memory_order_release);
    }
}

void launch_ends() {
    ThreadContext& thread = this_thread();
    if (thread.launching != 0) --thread.launching;
}

[[gnu::noinline]] void note_own_call(const Call& call) {
    Use use;
    if (!describe(call, use)) return;
    note(call.thread, handle(call[Role::kComm]), use, Own{0, kNone, call.thread.label, call.function, false});
}

void note_own_method(const ThreadContext& thread, Word comm) {
    if (!thread.launched || thread.launching != 0) return;
    Use use;
    use.collective = true;
    note(thread, comm, use, Own{0, kNone, thread.label, kLabels[thread.label].function, true});
}

void check_overtaken(KnownOperation& known, const ThreadContext& thread) {
    known.begun.store(true, std::memory_order_release);
    if (!known.met.load(std::memory_order_acquire)) return;
    std::unique_lock lock(order().mutex);
    const auto at = std::ranges::find(order().started, &known, &Started::operation);
    if (at == order().started.end()) return;
    const bool later = at->own.launch != 0 && at->own.launch == at->launch && at->by != &thread;
    if (!later) return;
    const Started one = *at;
    lock.unlock();
    tell(one, !one.own.beside);
}

}  // namespace jaxmpi
