// MPI_Wait and its kin.
#include <optional>

#include "completion.hpp"
#include "handlers.hpp"

namespace jaxmpi {
namespace {

// Forwards a call that waits for the requests of the batch.
Word wait(const Call& call, ThreadContext& thread, std::uint32_t site, const Batch& batch, bool all,
          std::uint64_t entered) {
    if (!batch.may_wait()) return call.forward();
    const Blocked blocked(
        thread, call.function, site,
        [&](StateWriter& state) {
            state->communicator = kNone;
            state->ordinal = 0;
            batch.add_waits(state, all);
            if (state->wait_count != 0) state->communicator = state->waits[0].communicator;
        },
        entered);
    return call.forward();
}

Word wait_one(const Call& call, ThreadContext& thread, std::uint32_t site) {
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

Word wait_all(const Call& call, ThreadContext& thread, std::uint32_t site) {
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

Word on_wait(const Call& call) {
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
