#include "completion.hpp"

namespace jaxmpi {
namespace {

// The word on whether a receive took a message and which.
void settle(Request& request, const Status* status, Word result) {
    if (integer(result) != 0 && !is_truncation(result))
        receive_cancelled(request.in);
    else if (!request.in.wildcard)
        received(request.in, request.in.peer, request.in.tag);
    else if (status != nullptr && integer(result) == 0)
        received(request.in, status->source(), status->tag());
    else
        receive_cancelled(request.in);
}

bool was_cancelled(const Status* status) {
    static const auto cancelled = reinterpret_cast<int (*)(const void*, int*)>(symbol("PMPI_Test_cancelled"));
    int flag = 0;
    return status != nullptr && cancelled != nullptr && cancelled(status->address(), &flag) == 0 && flag != 0;
}

}  // namespace

void remember(const Request& made) {
    if (requests().insert(made) == nullptr) process().block->uncertain.store(1, std::memory_order_relaxed);
}

void Completion::finish(Request* request, const Status* status) const {
    if (!request->active) {
        requests().release(request);
        return;
    }
    const Message posted = request->in;
    const bool cancelled = request->cancelled && was_cancelled(status);
    if (request->receives && !cancelled) settle(*request, status, result);
    if (request->receives && cancelled) receive_cancelled(request->in);
    if (request->sends && cancelled) send_failed(request->out);
    const auto write = [&](const Message& message) {
        Recording record(thread, call.function);
        record->site = site;
        record->entered = entered;
        record->request = request->serial;
        describe(*record.operator->(), message);
        record->result.store(static_cast<std::int32_t>(result), std::memory_order_relaxed);
        record->left.store(ticks(), std::memory_order_relaxed);
        record.publish();
    };
    if (request->sends) write(request->out);
    if (request->receives) write(request->in);
    if (request->collective) {
        Message message;
        message.index = request->wait.communicator;
        message.ordinal = request->wait.ordinal;
        write(message);
        if (request->completed && integer(result) == 0) request->completed();
    }
    if (request->persistent) {
        request->in = posted;
        request->active = request->cancelled = false;
        requests().release(request);
    } else {
        requests().remove(request);
    }
}

bool may_wait(const Request& request) {
    if (!request.active) return false;
    return request.collective || (request.sends && !request.out.lonely) || (request.receives && !request.in.lonely);
}

bool satisfied(const Request& request) {
    const auto come = [](const Message& message, const Shared<std::uint32_t> Channel::* counter) {
        if (message.lonely) return true;
        if (message.channel == nullptr || message.ordinal == 0 || message.wildcard) return false;
        return (message.channel->*counter).load(std::memory_order_relaxed) >= message.ordinal;
    };
    return !request.collective && (!request.sends || come(request.out, &Channel::posted)) &&
           (!request.receives || come(request.in, &Channel::sent));
}

void add_waits(StateWriter& state, const Request& request) {
    if (!request.active) return;
    if (request.collective) add_wait(state, request.wait);
    if (request.sends && !request.out.lonely) add_wait(state, wait_for(request.out));
    if (request.receives && !request.in.lonely) add_wait(state, wait_for(request.in));
}

}  // namespace jaxmpi
