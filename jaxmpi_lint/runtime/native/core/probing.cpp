// Probes, matched probes and the receives of what they matched.
#include <optional>

#include "completion.hpp"
#include "handlers.hpp"

namespace jaxmpi {
namespace {

bool succeeded(const Call& call, Word result) {
    if (integer(result) != 0) return false;
    return !call.has(Role::kFlag) || *reinterpret_cast<const std::int32_t*>(call[Role::kFlag]) != 0;
}

Word key_of(const Call& call) {
    return (static_cast<Word>(call.function) << 48 | 1) ^ handle(call[Role::kComm]) * 0x9e3779b97f4a7c15 ^
           static_cast<Word>(static_cast<std::uint32_t>(integer(call[Role::kSource]))) << 20 ^
           static_cast<std::uint32_t>(integer(call[Role::kTag]));
}

Word forward_blocking(const Call& call, ThreadContext& thread, std::uint32_t site, const Message& message) {
    if (message.lonely) return call.forward();
    const Blocked blocked(thread, call.function, site, [&](StateWriter& state) {
        state->communicator = message.index;
        state->ordinal = message.ordinal;
        add_wait(state, message);
    });
    return call.forward();
}

void write(const Call& call, ThreadContext& thread, std::uint32_t site, std::uint64_t entered, const Message& message,
           Word result) {
    Recording record(thread, call.function, entered);
    record->site = site;
    describe(*record.operator->(), message);
    record.leave(result);
    record.publish();
}

}  // namespace

Word on_probe(const Call& call) {
    ThreadContext& thread = call.thread;
    const bool waits = !call.has(Role::kFlag);
    Message message;
    incoming(message, call, {Role::kSource, Role::kTag, WaitKind::kProbe});
    probe_posted(message);
    const StatusArgument status(call[Role::kStatus], message.wildcard);
    const std::uint64_t entered = ticks();
    std::uint32_t site = kNone;
    if (waits) {
        stop_polling(thread);
        site = call_site();
    }
    const Word result = waits ? forward_blocking(call, thread, site, message) : call.forward();
    if (!succeeded(call, result)) {
        if (!waits && integer(result) == 0)
            keep_polling(thread, call.function, key_of(call), [&](StateWriter& state) {
                state->communicator = message.index;
                add_wait(state, message);
            });
        return result;
    }
    if (!waits) {
        stop_polling(thread);
        site = call_site();
    }
    const bool takes = call.has(Role::kMessage);
    const std::int32_t source = message.wildcard ? status.status().source() : integer(call[Role::kSource]);
    const std::int32_t tag = message.wildcard ? status.status().tag() : message.tag;
    if (!message.lonely && takes) probe_matched(message, source, tag);
    if (!message.lonely && !takes) probe_saw(message, source, tag);
    write(call, thread, site, entered, message, result);
    if (takes && !message.lonely) {
        Request made;
        made.handle = load_handle(reinterpret_cast<const void*>(call[Role::kMessage]));
        made.storage = call[Role::kMessage];
        made.receives = true;
        made.in = message;
        matched_messages().insert(made);
    }
    return result;
}

Word on_matched_receive(const Call& call) {
    ThreadContext& thread = call.thread;
    stop_polling(thread);
    Request* matched = matched_messages().claim(load_handle(reinterpret_cast<const void*>(call[Role::kMessage])),
                                                call[Role::kMessage]);
    Request made;
    if (matched != nullptr) made.in = matched->in;
    made.receives = true;
    made.site = call_site();
    made.in.contents = contents_of(count(call.info, call[Role::kCount]), call[Role::kDatatype]);
    made.in.lane = nullptr;  // counted when it was matched
    made.in.lonely = true;
    made.in.wildcard = false;
    Recording record(thread, call.function);
    record->site = made.site;
    describe(*record.operator->(), made.in);
    record.publish();
    const Word result = call.forward();
    if (matched != nullptr) matched_messages().remove(matched);
    if (call.has(Role::kRequest) && integer(result) == 0) {
        made.handle = load_handle(reinterpret_cast<const void*>(call[Role::kRequest]));
        made.storage = call[Role::kRequest];
        made.function = call.function;
        record->request = made.serial = static_cast<std::uint32_t>(record.serial());
        made.active = true;
        if (made.handle != process().request_null) remember(made);
    }
    record.leave(result);
    return call.has(Role::kRequest) ? result : checked(made.in, result, made.site);
}

}  // namespace jaxmpi
