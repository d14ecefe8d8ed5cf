// Sends, receives and exchanges: counted before they are forwarded, followed until they are complete.
#include <optional>

#include "completion.hpp"
#include "contents.hpp"
#include "handlers.hpp"
#include "requests.hpp"

namespace jaxmpi {
namespace {

Word one_request(const Call& call) { return load_handle(reinterpret_cast<const void*>(call[Role::kRequest])); }

// Waiting for the counterpart of up to two messages.
class Waiting {
  public:
    Waiting(const Call& call, const Record& record, const Message* one, const Message* two = nullptr) {
        if (one != nullptr && one->lonely) one = nullptr;
        if (two != nullptr && two->lonely) two = nullptr;
        if (one == nullptr && two == nullptr) return;
        const auto fill = [&](StateWriter& state) {
            state->communicator = (one != nullptr ? one : two)->index;
            state->ordinal = (one != nullptr ? one : two)->ordinal;
            if (one != nullptr) add_wait(state, *one);
            if (two != nullptr) add_wait(state, *two);
        };
        blocked_.emplace(call.thread, call.function, record.site, fill, record.entered);
    }

  private:
    std::optional<Blocked> blocked_;
};

[[gnu::hot]] void keep(const Call& call, Request& made) {
    made.handle = one_request(call);
    made.storage = call[Role::kRequest];
    made.function = call.function;
    made.persistent = call.info.persistent;
    made.active = !made.persistent;
    if (made.handle != process().request_null) remember(made);
}

// The record of a call that returns at once. All but its result is written before the call is forwarded: after a send
// the processor waits for the line that it shares with the receiver, and what is written then waits as well.
class Prewritten {
  public:
    Prewritten(const Call& call, Request& made, const Message& message) : record_(call.thread, call.function) {
        if (made.serial == 0) made.serial = static_cast<std::uint32_t>(record_.serial());
        record_->site = made.site;
        record_->request = made.serial;
        describe(*record_.operator->(), message);
        record_->result.store(0, std::memory_order_relaxed);
        record_->left.store(record_->entered, std::memory_order_relaxed);
    }
    void publish(Word result) {
        if (integer(result) != 0) [[unlikely]] {
            record_->request = 0;
            record_->result.store(static_cast<std::int32_t>(result), std::memory_order_relaxed);
        }
        record_.publish();
    }

  private:
    Recording record_;
};

[[gnu::hot]] Word make_request(const Call& call, ThreadContext& thread, Request& made) {
    made.site = call_site();
    if (!call.info.persistent) {
        if (made.sends) send_begins(made.out, thread, made.site);
        if (made.receives) receive_posted(made.in);
        if (made.receives && check_room(made.in, made.site) == Decision::kRaise) {
            receive_failed(made.in);
            if (made.sends) send_failed(made.out);
            return truncation_error();
        }
    }
    std::optional<Prewritten> sending, receiving;
    if (made.sends) sending.emplace(call, made, made.out);
    if (made.receives) receiving.emplace(call, made, made.in);
    const Word result = call.outcome();
    if (sending) sending->publish(result);
    if (receiving) receiving->publish(result);
    if (integer(result) == 0) {
        keep(call, made);
    } else if (!call.info.persistent) {
        if (made.sends) send_failed(made.out);
        if (made.receives) receive_failed(made.in);
    }
    return result;
}

constexpr ContentRoles kOneMessage{Role::kCount, Role::kDatatype};

// Partitioned messages match among themselves, in the order of their init calls: nothing is said of them.
void forget(Message& message) {
    message.lane = nullptr;
    message.channel = nullptr;
}

[[gnu::hot]] void describe_send(Message& message, const Call& call) {
    const Mode mode = call.info.mode;
    const WaitKind waiting = mode == Mode::kSynchronous   ? WaitKind::kSynchronousSend
                             : mode == Mode::kPartitioned ? WaitKind::kUnknown
                                                          : WaitKind::kStandardSend;
    outgoing(message, call, {Role::kDest, Role::kTag, waiting}, kOneMessage);
    if (mode == Mode::kBuffered) message.lonely = true;
    if (mode == Mode::kPartitioned) forget(message);
}

[[gnu::hot]] void describe_receive(Message& message, const Call& call) {
    const bool partitioned = call.info.mode == Mode::kPartitioned;  // its peer is called dest in the standard
    incoming(message, call, {partitioned ? Role::kDest : Role::kSource, Role::kTag, WaitKind::kReceive}, kOneMessage);
    if (partitioned) forget(message);
}

void describe_exchange(Message& out, Message& in, const Call& call) {
    const bool replaces = !call.has(Role::kSendcount);
    outgoing(out, call, {Role::kDest, Role::kSendtag, WaitKind::kStandardSend},
             replaces ? kOneMessage : ContentRoles{Role::kSendcount, Role::kSendtype});
    incoming(in, call, {Role::kSource, Role::kRecvtag, WaitKind::kReceive},
             replaces ? kOneMessage : ContentRoles{Role::kRecvcount, Role::kRecvtype});
}

}  // namespace

[[gnu::hot]] Word on_send(const Call& call) {
    ThreadContext& thread = call.thread;
    stop_polling(thread);
    if (call.has(Role::kRequest)) {
        Request& made = prepared();
        made.sends = true;
        describe_send(made.out, call);
        return make_request(call, thread, made);
    }
    Message message;
    describe_send(message, call);
    const std::uint32_t site = call_site();
    Recording record(thread, call.function);
    record->site = site;
    send_begins(message, thread, site);
    describe(*record.operator->(), message);
    record.publish();
    Word result;
    {
        const Waiting waiting(call, *record.operator->(), &message);
        result = call.outcome();
    }
    if (integer(result) != 0) send_failed(message);
    record.leave(result);
    return result;
}

[[gnu::hot]] Word on_receive(const Call& call) {
    ThreadContext& thread = call.thread;
    stop_polling(thread);
    if (call.has(Role::kRequest)) {
        Request& made = prepared();
        made.receives = true;
        describe_receive(made.in, call);
        return make_request(call, thread, made);
    }
    Message message;
    describe_receive(message, call);
    const std::uint32_t site = call_site();
    Recording record(thread, call.function);
    record->site = site;
    receive_posted(message);
    describe(*record.operator->(), message);
    record.publish();
    if (check_room(message, site) == Decision::kRaise) {
        receive_failed(message);
        record.leave(truncation_error());
        return truncation_error();
    }
    const Filled filled(call);
    const StatusArgument status(call[Role::kStatus], message.wildcard || filled.needs_status());
    Word result;
    {
        const Waiting waiting(call, *record.operator->(), &message);
        result = call.outcome();
    }
    const Status seen = status.status();
    settle(message, status.known() ? &seen : nullptr, result);
    describe(*record.operator->(), message);
    record.leave(result);
    if (integer(result) == 0 && filled.check(message, Role::kCount, Role::kDatatype, seen, site) == Decision::kRaise)
        return truncation_error();
    return checked(message, result, site);
}

Word on_exchange(const Call& call) {
    ThreadContext& thread = call.thread;
    stop_polling(thread);
    if (call.has(Role::kRequest)) {
        Request& made = prepared();
        made.sends = made.receives = true;
        describe_exchange(made.out, made.in, call);
        return make_request(call, thread, made);
    }
    Message out, in;
    describe_exchange(out, in, call);
    const std::uint32_t site = call_site();
    Recording sending(thread, call.function);
    Recording receiving(thread, call.function);
    sending->site = receiving->site = site;
    send_begins(out, thread, site);
    receive_posted(in);
    describe(*sending.operator->(), out);
    describe(*receiving.operator->(), in);
    sending.publish();
    receiving.publish();
    const Filled filled(call);
    const StatusArgument status(call[Role::kStatus], in.wildcard || filled.needs_status());
    Word result;
    {
        const Waiting waiting(call, *sending.operator->(), &out, &in);
        result = call.outcome();
    }
    if (integer(result) != 0 && !is_truncation(result)) send_failed(out);
    const Status seen = status.status();
    settle(in, status.known() ? &seen : nullptr, result);
    describe(*receiving.operator->(), in);
    sending.leave(result);
    receiving.leave(result);
    if (integer(result) == 0 && filled.check(in, Role::kRecvcount, Role::kRecvtype, seen, site) == Decision::kRaise)
        return truncation_error();
    return checked(in, result, site);
}

}  // namespace jaxmpi
