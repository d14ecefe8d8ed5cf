// MPI_Test and its kin: an unsuccessful one is polling and leaves no record.
#include "agreement.hpp"
#include "completion.hpp"
#include "handlers.hpp"

namespace jaxmpi {
namespace {

bool raised(const Call& call) { return *reinterpret_cast<const std::int32_t*>(call[Role::kFlag]) != 0; }

Word key_of(const Call& call, Word array, std::size_t size) {
    const Word first = size == 0 ? 0 : handle_at(array, 0);
    return (static_cast<Word>(call.function) << 48 | 1) ^ array ^ first * 0x9e3779b97f4a7c15 ^ size << 32;
}

void unsuccessful(const Call& call, ThreadContext& thread, const Batch& batch, Word key, bool all) {
    if (batch.may_wait())
        keep_polling(thread, call.function, key, [&](StateWriter& state) { batch.add_waits(state, all); });
}

// With `strict`, what the monitors have not compared yet is not complete.
Word test_all_of(const Call& call, const Batch& batch) {
    if (!process().options.strict || !batch.withheld()) [[likely]]
        return call.outcome();
    batch.keep_going();
    *reinterpret_cast<std::int32_t*>(call[Role::kFlag]) = 0;
    return 0;
}

// Likewise; `count`: where the library writes that there is no request but those.
Word test_some_of(const Call& call, const Batch& batch, Role count, Role found) {
    if (!process().options.strict || !batch.withheld()) [[likely]]
        return call.outcome();
    batch.keep_going();
    const Masked masked(batch);
    const Word result = call.outcome();
    const bool none = *reinterpret_cast<const std::int32_t*>(call[count]) < 0;
    if (masked && integer(result) == 0 && none) *reinterpret_cast<std::int32_t*>(call[found]) = 0;
    return result;
}

Word test_one(const Call& call, ThreadContext& thread) {
    const Word key = key_of(call, call[Role::kRequest], 1);
    Batch batch(call[Role::kRequest], 1);
    const StatusArgument status(call[Role::kStatus], batch.need_statuses());
    const std::uint64_t entered = ticks();
    const Word result = test_all_of(call, batch);
    if (integer(result) == 0 && !raised(call)) {
        unsuccessful(call, thread, batch, key, true);
        return result;
    }
    stop_polling(thread);
    return finish_one(batch, status, {thread, call, call_site(), entered, result});
}

Word test_any(const Call& call, ThreadContext& thread) {
    const Word key = key_of(call, call[Role::kRequests], counted(call[Role::kCount]));
    Batch batch(call[Role::kRequests], counted(call[Role::kCount]));
    const StatusArgument status(call[Role::kStatus], batch.need_statuses());
    const std::uint64_t entered = ticks();
    const Word result = test_some_of(call, batch, Role::kIndex, Role::kFlag);
    if (integer(result) == 0 && !raised(call)) {
        unsuccessful(call, thread, batch, key, false);
        return result;
    }
    stop_polling(thread);
    return finish_any(batch, status, {thread, call, call_site(), entered, result});
}

Word test_all(const Call& call, ThreadContext& thread) {
    const Word key = key_of(call, call[Role::kRequests], counted(call[Role::kCount]));
    Batch batch(call[Role::kRequests], counted(call[Role::kCount]));
    const StatusArray statuses(call[Role::kStatuses], batch.size(), batch.need_statuses());
    const std::uint64_t entered = ticks();
    const Word result = test_all_of(call, batch);
    if (integer(result) == 0 && !raised(call)) {
        unsuccessful(call, thread, batch, key, true);
        return result;
    }
    stop_polling(thread);
    return finish_all(batch, statuses, {thread, call, call_site(), entered, result});
}

Word test_some(const Call& call, ThreadContext& thread) {
    const Word key = key_of(call, call[Role::kRequests], counted(call[Role::kCount]));
    Batch batch(call[Role::kRequests], counted(call[Role::kCount]));
    const StatusArray statuses(call[Role::kStatuses], batch.size(), batch.need_statuses());
    const std::uint64_t entered = ticks();
    const Word result = test_some_of(call, batch, Role::kOutcount, Role::kOutcount);
    if (integer(result) == 0 && *reinterpret_cast<const std::int32_t*>(call[Role::kOutcount]) == 0) {
        unsuccessful(call, thread, batch, key, false);
        return result;
    }
    stop_polling(thread);
    return finish_some(batch, statuses, {thread, call, call_site(), entered, result});
}

// As test_all_of, for a handle that is passed by value.
Word look_at(const Call& call, Word request) {
    Request* const known = process().options.strict ? requests().claim(request, 0) : nullptr;
    if (known == nullptr) [[likely]]
        return call.outcome();
    const bool withheld = is_withheld(*known);
    const Numbered one{known->wait.communicator, known->wait.ordinal};
    requests().release(known);
    if (!withheld) return call.outcome();
    keep_going(one);
    *reinterpret_cast<std::int32_t*>(call[Role::kFlag]) = 0;
    return 0;
}

// The request stays as it is, complete or not.
Word look(const Call& call, ThreadContext& thread) {
    const Word result = look_at(call, handle(call[Role::kRequest]));
    if (integer(result) != 0 || raised(call)) {
        stop_polling(thread);
        return result;
    }
    const Word request = handle(call[Role::kRequest]);
    const Word key = (static_cast<Word>(call.function) << 48 | 1) ^ request;
    keep_polling(thread, call.function, key, [&](StateWriter& state) {
        Request* known = requests().claim(request, 0);
        if (known == nullptr) return;
        add_waits(state, *known);
        requests().release(known);
    });
    return result;
}

}  // namespace

Word on_test(const Call& call) {
    ThreadContext& thread = call.thread;
    switch (call.function) {
        case Function::kTest:
            return test_one(call, thread);
        case Function::kTestany:
            return test_any(call, thread);
        case Function::kTestall:
            return test_all(call, thread);
        case Function::kTestsome:
            return test_some(call, thread);
        default:
            return look(call, thread);
    }
}

}  // namespace jaxmpi
