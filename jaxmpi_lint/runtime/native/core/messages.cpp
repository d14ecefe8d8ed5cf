#include "messages.hpp"

#include "channels.hpp"
#include "findings.hpp"
#include "handle_table.hpp"
#include "known_messages.hpp"
#include "sole_thread.hpp"

namespace jaxmpi {
namespace {

[[gnu::always_inline]] inline MessageArguments arguments_of(const Call& call, const Envelope& envelope) {
    return {.communicator = handle(call[Role::kComm]),
            .peer = integer(call[envelope.peer]),
            .tag = integer(call[envelope.tag]),
            .kind = envelope.kind};
}

[[gnu::always_inline]] inline MessageArguments arguments_of(const Call& call, const Envelope& envelope,
                                                            const ContentRoles& contents) {
    MessageArguments said = arguments_of(call, envelope);
    said.datatype = handle(call[contents.type]);
    said.count = count(call.info, call[contents.how_many]);
    said.has_contents = true;
    return said;
}

void address(Message& message, const MessageArguments& said) {
    message = {};
    message.kind = said.kind;
    message.tag = said.tag == process().abi->any_tag ? kAny : said.tag;
    if (said.has_contents) message.contents = contents_of(said.count, said.datatype);
    const Communicator* known = communicator(said.communicator);
    if (known == nullptr) return;
    message.communicator = said.communicator;
    message.index = known->index;
    message.peer = known->world_of(said.peer);
    message.lonely = message.peer == kNobody;
    if (message.lonely || known->entry == nullptr || !known->checked) return;
    message.lane = known->lane;
    message.communicator_id = known->entry->id.load(std::memory_order_relaxed);
}

Channel* channel_of(const Message& message, std::int32_t source, std::int32_t destination, std::int32_t tag) {
    Channel* const found =
        find_channel(process().ledger, {message.communicator_id, message.index, source, destination, tag});
    static std::atomic<bool> told{false};
    if (found == nullptr && !told.exchange(true, std::memory_order_relaxed)) [[unlikely]]
        say("more combinations of communicator, source, destination and tag than the ledger can hold: deadlocks in "
            "point-to-point messages are no longer detected (collectives are still checked)");
    return found;
}

template <class FindChannel>
[[gnu::always_inline]] inline void fill_in(Message& message, const MessageArguments& said, FindChannel&& find_channel) {
    if (const Message* const known = recalled(said); known != nullptr) [[likely]] {
        message = *known;
        return;
    }
    const std::uint64_t changes = handle_changes.load(std::memory_order_acquire);
    address(message, said);
    if (message.lane != nullptr) find_channel();
    if (message.channel != nullptr) keep(said, message, changes);
}

[[gnu::hot]] void take_in(Message& message, const MessageArguments& said) {
    fill_in(message, said,
            [&message] { message.channel = channel_of(message, message.peer, process().world_rank, message.tag); });
    message.wildcard = message.peer == kAny || message.tag == kAny;
}

bool counted(const Message& message) { return message.lane != nullptr; }

// What the counter is now. Every counter has one writer, this process.
[[gnu::hot]] std::uint32_t add(Shared<std::uint32_t>& counter) { return SoleThread::add(counter, 1U) + 1; }
[[gnu::hot]] std::uint32_t take(Shared<std::uint32_t>& counter) { return SoleThread::add(counter, ~0U) - 1; }

// A reader that finds a word and then a `since` not above its message may compare: hence the order of the stores. Two
// threads that send on one channel make it incomparable for good.
[[gnu::hot]] void publish_contents(Channel& channel, std::uint64_t contents, std::uint64_t ordinal,
                                   std::uint32_t site) {
    std::uint64_t before = channel.carried.load(std::memory_order_relaxed);
    if (before != contents) {
        const bool other_thread = before != 0 && Contents::of(before).sender != Contents::of(contents).sender;
        std::uint32_t since = channel.since.load(std::memory_order_relaxed);
        const std::uint32_t now = other_thread ? kNone : static_cast<std::uint32_t>(ordinal);
        const bool undisturbed = since == kNone || channel.since.compare_exchange_strong(since, now);
        if (!undisturbed || !channel.carried.compare_exchange_strong(before, contents)) channel.since.store(kNone);
    }
    if (channel.site.load(std::memory_order_relaxed) != site) channel.site.store(site, std::memory_order_relaxed);
}

// Makes a wildcard's message the one of the channel on which it came.
[[gnu::hot]] bool name_source(Message& message, std::int32_t source, std::int32_t tag) {
    const MessageArguments said{.communicator = message.communicator, .peer = source, .tag = tag};
    const Message* const before = recalled(said);
    if (before != nullptr && before->communicator_id == message.communicator_id) [[likely]] {
        message.peer = before->peer;
        message.tag = tag;
        message.channel = before->channel;
        return true;
    }
    const std::uint64_t changes = handle_changes.load(std::memory_order_acquire);
    const Communicator* known = communicator(message.communicator);
    if (known == nullptr || known->entry == nullptr ||
        known->entry->id.load(std::memory_order_relaxed) != message.communicator_id) {
        process().block->uncertain.store(1, std::memory_order_relaxed);  // freed meanwhile: its identity is lost
        message.channel = nullptr;
        return false;
    }
    message.peer = known->world_of(source);
    message.tag = tag;
    message.channel = channel_of(message, message.peer, process().world_rank, tag);
    if (message.channel == nullptr) return false;
    keep(said, message, changes);
    return true;
}

}  // namespace

[[gnu::hot]] void outgoing(Message& message, const Call& call, const Envelope& envelope, const ContentRoles& contents) {
    const MessageArguments said = arguments_of(call, envelope, contents);
    fill_in(message, said,
            [&message] { message.channel = channel_of(message, process().world_rank, message.peer, message.tag); });
}

[[gnu::hot]] void incoming(Message& message, const Call& call, const Envelope& envelope, const ContentRoles& contents) {
    take_in(message, arguments_of(call, envelope, contents));
}

void incoming(Message& message, const Call& call, const Envelope& envelope) {
    take_in(message, arguments_of(call, envelope));
}

// What a message is made of is there before the message counts as sent: a receiver may look as soon as it counts.
[[gnu::hot]] void send_begins(Message& message, const ThreadContext& thread, std::uint32_t site) {
    if (message.channel == nullptr) return;
    Channel& channel = *message.channel;
    if (message.contents == 0) {
        channel.since.store(kNone, std::memory_order_relaxed);
    } else {
        Contents contents = Contents::of(message.contents);
        contents.sender = static_cast<std::uint8_t>(thread.slot < kThreads ? thread.slot : kThreads);
        publish_contents(channel, contents.packed(), channel.sent.load(std::memory_order_relaxed) + 1, site);
    }
    message.ordinal = add(channel.sent);
}

void send_failed(const Message& message) {
    if (message.channel != nullptr) take(message.channel->sent);
}

[[gnu::hot]] void receive_posted(Message& message) {
    if (!counted(message)) return;
    if (message.channel != nullptr) {
        const std::uint64_t number = add(message.channel->posted);
        const bool certain = !message.wildcard && message.lane->open.load(std::memory_order_relaxed) == 0;
        message.ordinal = certain ? number : 0;
    }
    if (message.wildcard) {
        add(message.lane->posted);
        add(message.lane->open);
    }
}

void receive_failed(const Message& message) {
    if (!counted(message)) return;
    if (message.channel != nullptr) take(message.channel->posted);
    if (message.wildcard) take(message.lane->open);
}

void receive_cancelled(const Message& message) {
    receive_failed(message);
    if (counted(message)) add(message.lane->posted);
}

[[gnu::hot]] void received(Message& message, std::int32_t source, std::int32_t tag) {
    if (!counted(message)) return;
    if (!message.wildcard) {
        if (message.channel == nullptr) return;
        const std::uint64_t number = add(message.channel->received);
        add(message.channel->completed);
        const bool alone = number == message.channel->posted.load(std::memory_order_relaxed);
        if (message.ordinal == 0 && alone && message.lane->open.load(std::memory_order_relaxed) == 0)
            message.ordinal = number;
        return;
    }
    if (message.channel != nullptr) add(message.channel->completed);
    const bool alone = take(message.lane->open) == 0;
    probe_matched(message, source, tag);
    if (!alone) message.ordinal = 0;
}

void probe_posted(Message& message) {
    if (message.channel == nullptr || message.wildcard || message.lane->open.load(std::memory_order_relaxed) != 0)
        return;
    message.ordinal = message.channel->posted.load(std::memory_order_relaxed) + std::uint64_t{1};
}

void probe_saw(Message& message, std::int32_t source, std::int32_t tag) {
    if (!counted(message) || !name_source(message, source, tag)) return;
    message.ordinal = message.channel->posted.load(std::memory_order_relaxed) + std::uint64_t{1};
}

[[gnu::hot]] void probe_matched(Message& message, std::int32_t source, std::int32_t tag) {
    if (!counted(message) || !name_source(message, source, tag)) return;
    const std::uint64_t posted = add(message.channel->posted);
    const std::uint64_t number = add(message.channel->received);
    add(message.channel->completed);
    message.ordinal = posted == number ? number : 0;
}

[[gnu::hot]] void add_wait(StateWriter& state, const Message& message) {
    if (state->wait_count == kWaits) {
        state->waits_overflow = 1;
        return;
    }
    Wait& wait = state->waits[state->wait_count++];
    wait.kind = counted(message) || message.lonely ? message.kind : WaitKind::kUnknown;
    wait.certain = wait.kind != WaitKind::kStandardSend && wait.kind != WaitKind::kUnknown;
    wait.flow = wait.unused = 0;
    wait.peer = message.peer;
    wait.tag = message.tag;
    wait.communicator = message.index;
    wait.ordinal = message.ordinal;
}

namespace {

// Which end of the message the call is.
Function role_of(const Message& message) {
    switch (message.kind) {
        case WaitKind::kReceive:
            return Function::kRecv;
        case WaitKind::kProbe:
            return Function::kProbe;
        case WaitKind::kSynchronousSend:
            return Function::kSsend;
        case WaitKind::kStandardSend:
            return message.lonely ? Function::kBsend : Function::kSend;
        default:
            return Function::kNothing;
    }
}

// What may be open until a receive is complete.
void address(Record& record, const Message& message) {
    record.ordinal = message.ordinal;
    record.peer = message.peer;
    record.tag = message.tag;
    record.signature.function = static_cast<std::uint16_t>(message.peer < 0 ? Function::kNothing : role_of(message));
}

}  // namespace

[[gnu::hot]] void describe(Record& record, const Message& message) {
    record.communicator = message.index;
    Contents::of(message.contents).sign(record.signature, Function::kNothing);
    address(record, message);
}

[[gnu::hot]] void describe_again(std::uint32_t serial, const Message& message) {
    const std::uint64_t history = process().ledger.header().history;
    const std::uint64_t age =
        static_cast<std::uint32_t>(process().block->head.load(std::memory_order_relaxed)) - serial;
    if (serial == 0 || static_cast<std::uint32_t>(age) >= history / 2) return;  // soon to be overwritten
    const std::uint64_t position = (process().block->head.load(std::memory_order_relaxed) - age - 1) % history;
    Record& record = process().ledger.records(process().local)[position];
    if (static_cast<std::uint32_t>(record.serial.load(std::memory_order_acquire)) == serial) address(record, message);
}

[[gnu::hot]] StatusArgument::StatusArgument(Word& argument, bool needed) : at_(argument) {
    if (argument != process().abi->status_ignore) return;
    at_ = needed ? reinterpret_cast<Word>(own_.data()) : 0;
    if (!needed) return;
    own_.fill(std::byte{0xff});
    argument = at_;
}

Word truncation_error() { return static_cast<Word>(process().abi->error_truncate); }

bool is_truncation(Word result) {
    static const auto error_class = reinterpret_cast<int (*)(int, int*)>(symbol("PMPI_Error_class"));
    int kind = 0;
    if (result == 0 || error_class == nullptr || error_class(integer(result), &kind) != 0) return false;
    return kind == integer(truncation_error());
}

[[gnu::hot]] void stop_polling(ThreadContext& thread) {
    if (thread.block == nullptr) return;
    if (thread.polled != 0) {
        thread.polled = 0;
        if (thread.block->activity.load(std::memory_order_relaxed) == Activity::kPolling) {
            StateWriter state(*thread.block);
            state->activity.store(Activity::kRunning, std::memory_order_relaxed);
        }
    }
    thread.block->calls.store(thread.block->calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace jaxmpi
