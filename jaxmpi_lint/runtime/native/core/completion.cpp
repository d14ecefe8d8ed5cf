#include "completion.hpp"

#include "agreement.hpp"
#include "contents.hpp"

namespace jaxmpi {
namespace {

bool was_cancelled(const Status* status) {
    static const auto cancelled = reinterpret_cast<int (*)(const void*, int*)>(symbol("PMPI_Test_cancelled"));
    int flag = 0;
    return status != nullptr && cancelled != nullptr && cancelled(status->address(), &flag) == 0 && flag != 0;
}

}  // namespace

[[gnu::hot]] void settle(Message& message, const Status* status, Word result) {
    const bool took = integer(result) == 0 || is_truncation(result);
    const bool named = !message.wildcard || (status != nullptr && status->source() >= 0);
    if (took && named)
        return message.wildcard ? received(message, status->source(), status->tag())
                                : received(message, message.peer, message.tag);
    if (took && !message.lonely) process().block->uncertain.store(1, std::memory_order_relaxed);
    receive_cancelled(message);
}

[[gnu::hot]] Word checked(const Message& message, Word result, std::uint32_t site) {
    if (integer(result) != 0 && !is_truncation(result)) return result;
    const Decision decision = check_contents(message, integer(result) != 0, site);
    return decision == Decision::kRaise && integer(result) == 0 ? kErrorType : result;
}

[[gnu::hot]] Word Completion::finish(Request* request, const Status* status, Word outcome) const {
    if (!request->active) {
        requests().release(request);
        return outcome;
    }
    const Word returned = outcome;
    const bool cancelled = request->cancelled && was_cancelled(status);
    if (request->sends) {
        if (cancelled) send_failed(request->out);
        write(*request, request->out, returned);
    }
    if (request->receives) {
        Message kept;  // a persistent request receives again
        Message& in = request->persistent ? (kept = request->in) : request->in;
        const bool told = in.ordinal != 0 && !in.wildcard;
        cancelled ? receive_cancelled(in) : settle(in, status, returned);
        if (!told && !cancelled) describe_again(request->serial, in);
        write(*request, in, returned);
        if (!cancelled) outcome = checked(in, returned, request->site);
    }
    if (request->collective) {
        Message message;
        message.index = request->wait.communicator;
        message.ordinal = request->wait.ordinal;
        write(*request, message, returned);
        if (request->completed && integer(returned) == 0) request->completed();
    }
    if (request->persistent) {
        request->active = request->cancelled = false;
        requests().release(request);
    } else {
        forget(request);
    }
    return outcome;
}

[[gnu::hot]] void Completion::write(const Request& request, const Message& message, Word outcome) const {
    Recording record(thread, call.function, entered);
    record->site = site;
    record->request = request.serial;
    describe(*record.operator->(), message);
    record.leave(outcome);
    record.publish();
}

[[gnu::hot]] bool may_wait(const Request& request) {
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

bool is_withheld(const Request& request) {
    return request.awaits_agreement && request.active && !is_agreed({request.wait.communicator, request.wait.ordinal});
}

[[gnu::hot]] void add_waits(StateWriter& state, const Request& request) {
    if (!request.active) return;
    if (request.collective) add_wait(state, request.wait);
    if (request.sends && !request.out.lonely) add_wait(state, request.out);
    if (request.receives && !request.in.lonely) add_wait(state, request.in);
}

}  // namespace jaxmpi
