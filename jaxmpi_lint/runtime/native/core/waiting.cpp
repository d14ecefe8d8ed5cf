// MPI_Wait and its kin.
#include "agreement.hpp"
#include "completion.hpp"
#include "handlers.hpp"
#include "routine.hpp"

namespace jaxmpi {
namespace {

// MPI_Waitany as MPI_Testany, or MPI_Waitsome as MPI_Testsome; whether it found a request, or failed.
bool test(const Call& call, Word& result) {
    static const Routine test_any{"PMPI_Testany"}, test_some{"PMPI_Testsome"};
    if (call.function == Function::kWaitsome) {
        result = static_cast<Word>(test_some(call[Role::kCount], call[Role::kRequests], call[Role::kOutcount],
                                             call[Role::kIndices], call[Role::kStatuses]));
        return integer(result) != 0 || *reinterpret_cast<const std::int32_t*>(call[Role::kOutcount]) > 0;
    }
    int flag = 0;
    result = static_cast<Word>(
        test_any(call[Role::kCount], call[Role::kRequests], call[Role::kIndex], &flag, call[Role::kStatus]));
    return integer(result) != 0 || (flag != 0 && *reinterpret_cast<const std::int32_t*>(call[Role::kIndex]) >= 0);
}

// Waits for one request, with `strict`: those that are not agreed are left out until they are.
Word wait_for_any(const Call& call, const Batch& batch) {
    Pauses pauses;
    for (Word result = 0; batch.withheld(); pauses.pause()) {
        const Masked masked(batch);
        if (test(call, result)) return result;
        batch.keep_going();
    }
    return call.outcome();
}

// Forwards a call that waits for the requests of the batch.
[[gnu::hot]] Word wait(const Call& call, ThreadContext& thread, std::uint32_t site, const Batch& batch, bool all,
                       std::uint64_t entered) {
    if (!batch.may_wait()) return call.outcome();
    const Blocked blocked(
        thread, call.function, site,
        [&](StateWriter& state) {
            state->communicator = kNone;
            state->ordinal = 0;
            batch.add_waits(state, all);
            if (state->wait_count != 0) state->communicator = state->waits[0].communicator;
        },
        entered);
    if (process().options.strict) [[unlikely]] {
        if (!all) return wait_for_any(call, batch);
        batch.await_agreements();
    }
    return call.outcome();
}

[[gnu::hot]] Word wait_one(const Call& call, ThreadContext& thread, std::uint32_t site) {
    Batch batch(call[Role::kRequest], 1);
    const StatusArgument status(call[Role::kStatus], batch.need_statuses());
    const std::uint64_t entered = ticks();
    const Word result = wait(call, thread, site, batch, true, entered);
    return finish_one(batch, status, {thread, call, site, entered, result});
}

Word wait_any(const Call& call, ThreadContext& thread, std::uint32_t site) {
    Batch batch(call[Role::kRequests], counted(call[Role::kCount]));
    const StatusArgument status(call[Role::kStatus], batch.need_statuses());
    const std::uint64_t entered = ticks();
    const Word result = wait(call, thread, site, batch, false, entered);
    return finish_any(batch, status, {thread, call, site, entered, result});
}

[[gnu::hot]] Word wait_all(const Call& call, ThreadContext& thread, std::uint32_t site) {
    Batch batch(call[Role::kRequests], counted(call[Role::kCount]));
    const StatusArray statuses(call[Role::kStatuses], batch.size(), batch.need_statuses());
    const std::uint64_t entered = ticks();
    const Word result = wait(call, thread, site, batch, true, entered);
    return finish_all(batch, statuses, {thread, call, site, entered, result});
}

Word wait_some(const Call& call, ThreadContext& thread, std::uint32_t site) {
    Batch batch(call[Role::kRequests], counted(call[Role::kCount]));
    const StatusArray statuses(call[Role::kStatuses], batch.size(), batch.need_statuses());
    const std::uint64_t entered = ticks();
    const Word result = wait(call, thread, site, batch, false, entered);
    return finish_some(batch, statuses, {thread, call, site, entered, result});
}

}  // namespace

[[gnu::hot]] Word on_wait(const Call& call) {
    ThreadContext& thread = call.thread;
    stop_polling(thread);
    const std::uint32_t site = call_site();
    switch (call.function) {
        case Function::kWait:
            return wait_one(call, thread, site);
        case Function::kWaitany:
            return wait_any(call, thread, site);
        case Function::kWaitall:
            return wait_all(call, thread, site);
        default:
            return wait_some(call, thread, site);
    }
}

}  // namespace jaxmpi
