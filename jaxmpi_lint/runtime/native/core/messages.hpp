// One message of this rank, on its way out or in, and its counts on its channel.
#pragma once

#include "communicators.hpp"
#include "dispatch.hpp"
#include "thread.hpp"

namespace jaxmpi {

// What a message is made of, in one word, so that it can be published by one store. 0: not known.
struct Contents {
    Base base = Base::kNothing;
    std::uint8_t width = 0;
    std::uint8_t sender = 0;  // thread that sent it: the messages of two threads may overtake each other
    std::uint64_t bytes = 0;

    static constexpr std::uint64_t kKnown = std::uint64_t{1} << 63;
    static constexpr int kBytesBits = 46;
    static constexpr std::uint64_t without_sender(std::uint64_t packed) {
        return packed & ~(std::uint64_t{31} << kBytesBits);
    }
    std::uint64_t packed() const {
        return kKnown | std::uint64_t(base) << 59 | std::uint64_t(width) << 51 |
               std::uint64_t(sender & 31) << kBytesBits | (bytes & ((std::uint64_t{1} << kBytesBits) - 1));
    }
    void sign(Signature& signature, Function function) const;
    static Contents of(std::uint64_t word) {
        return {static_cast<Base>(word >> 59 & 15), static_cast<std::uint8_t>(word >> 51),
                static_cast<std::uint8_t>(word >> kBytesBits & 31), word & ((std::uint64_t{1} << kBytesBits) - 1)};
    }
};

struct Message {
    Channel* channel = nullptr;  // of the arguments as given; nullptr: not counted (no such peer, unknown communicator)
    Lane* lane = nullptr;
    std::uint64_t communicator_id = 0;
    Word communicator = 0;        // the handle
    std::uint64_t ordinal = 0;    // on its channel; 0: cannot be known
    std::uint64_t contents = 0;   // packed
    std::uint32_t index = kNone;  // of the communicator's entry
    std::int32_t peer = kNobody;  // world rank
    std::int32_t tag = kAny;
    WaitKind kind = WaitKind::kUnknown;
    bool lonely = false;    // waits for no rank: PROC_NULL, buffered sends
    bool wildcard = false;  // source or tag
};

// Where a call has what a message is addressed by, and what it is made of.
struct Envelope {
    Role peer, tag;
    WaitKind kind;
};
struct ContentRoles {
    Role how_many, type;
};

// What a call's arguments say of a message; nothing is counted yet.
// They fill in place: copying what was written a moment ago in smaller pieces is the dearest thing a fast call can do.
void outgoing(Message& message, const Call& call, const Envelope& envelope, const ContentRoles& contents);
void incoming(Message& message, const Call& call, const Envelope& envelope, const ContentRoles& contents);
void incoming(Message& message, const Call& call, const Envelope& envelope);  // of a probe: its contents are open
std::uint64_t contents_of(std::int64_t how_many, Word datatype);

void send_begins(Message& message, const ThreadContext& thread, std::uint32_t site);
void send_failed(const Message& message);
void receive_posted(Message& message);
void receive_failed(const Message& message);  // it took nothing
void receive_cancelled(const Message& message);
void received(Message& message, std::int32_t source,
              std::int32_t tag);  // as in the status; its own if it has no wildcard
// A probe: which message it would find, and which it found.
void probe_posted(Message& message);
void probe_saw(Message& message, std::int32_t source, std::int32_t tag);
// A matched probe found one: the message is taken out, and `message` becomes the one of its real channel.
void probe_matched(Message& message, std::int32_t source, std::int32_t tag);

// Adds the message to what a state waits for.
void add_wait(StateWriter& state, const Message& message);
void describe(Record& record, const Message& message);
// Completes the record of the call that made a request, once it is known what the request matched.
void describe_again(std::uint32_t serial, const Message& message);

// An MPI_Status of this ABI.
class Status {
  public:
    explicit Status(Word at) : at_(reinterpret_cast<const std::byte*>(at)) {}
    std::int32_t source() const { return field(process().abi->status_source); }
    std::int32_t tag() const { return field(process().abi->status_tag); }
    const void* address() const { return at_; }
    std::int32_t error() const { return field(process().abi->status_error); }

  private:
    std::int32_t field(std::size_t offset) const { return *reinterpret_cast<const std::int32_t*>(at_ + offset); }
    const std::byte* at_;
};
inline constexpr std::size_t kLargestStatus = 64;

// The program's status, or ours if it passes none but the sender must be known.
class StatusArgument {
  public:
    StatusArgument(Word& argument, bool needed);
    Status status() const { return Status(at_); }
    bool known() const { return at_ != 0; }

  private:
    Word at_;
    alignas(16) std::array<std::byte, kLargestStatus> own_;
};

Word truncation_error();  // MPI_ERR_TRUNCATE
bool is_truncation(Word result);

// A thread that polled makes a different call.
void stop_polling(ThreadContext& thread);
// An unsuccessful test of what `key` names; `fill` adds the waits. Repeated ones cost nothing and leave no trace.
template <class Fill>
void keep_polling(ThreadContext& thread, Function function, Word key, Fill&& fill) {
    if (thread.block == nullptr) return;
    if (thread.polled == key && thread.block->activity.load(std::memory_order_relaxed) == Activity::kPolling) {
        ++thread.polls;
        return;
    }
    const std::uint32_t site = call_site();
    StateWriter state(*thread.block);
    thread.polled = key;
    thread.polls = 1;
    state->function = static_cast<std::uint16_t>(function);
    state->site = site;
    state->label = thread.label;
    state->wait_count = 0;
    state->any_of = state->waits_overflow = 0;
    state->entered = ticks();
    state->activity.store(Activity::kPolling, std::memory_order_relaxed);
    fill(state);
}

// Adds one to what a state waits for.
inline void add_wait(StateWriter& state, const Wait& wait) {
    if (state->wait_count == kWaits)
        state->waits_overflow = 1;
    else
        state->waits[state->wait_count++] = wait;
}

}  // namespace jaxmpi
