// The calling thread: its slot in the ledger, its state, its history.
#pragma once

#include <algorithm>
#include <array>
#include <compare>

#include "core.hpp"
#include "prefetch.hpp"
#include "reading.hpp"
#include "sole_thread.hpp"

namespace jaxmpi {

struct KnownOperation;

// What a thread has written of a repeated collective into its state, see steady.hpp. It is there as long as nothing
// else is written there.
struct Shown {
    std::uint64_t number = 0;  // of its description, 0: of none
    std::uint32_t label = 0;
    std::uint32_t sequence = 0;  // of the state, since then
};

struct alignas(64) ThreadContext {
    std::uint32_t depth = 0;     // inside an interposed call: MPI calling itself passes unrecorded
    std::uint32_t paused = 0;    // jaxmpi_lint.runtime.paused()
    std::uint32_t label = 0;     // Label of what the user called, where that is not the MPI function itself
    std::uint32_t site = kNone;  // of the operation of mpi4jax around these calls; kNone: that of the innermost frame
    Caller caller{0, nullptr};   // of the interposed function that it is in
    bool pickled = false;        // inside a pickling method of mpi4py: its MPI calls are the method's business
    bool attached = false;
    bool refused = false;                 // MPI refused a call by an error that ends the process, see refusals.hpp
    bool launched = false;                // it has started compiled functions with operations of mpi4jax
    std::uint32_t launching = 0;          // it is starting one: what runs on it belongs to that
    std::uint32_t launched_at = kNone;    // the call site of the program that does so
    KnownOperation* operation = nullptr;  // of mpi4jax, around these calls
    std::uint32_t slot = kNone;           // index of `block`; kNone: more threads than the ledger holds
    ThreadBlock* block = nullptr;
    std::uint32_t polls = 0;
    Reader reader{};  // of handle tables
    Word polled = 0;  // what the thread's latest unsuccessful test asked for, 0 none
    Shown shown{};
};

JAXMPI_EXPORT ThreadContext& this_thread();  // takes a slot on first use once the process is active

// getpid without the system call; in a forked child it is the child's.
JAXMPI_EXPORT std::int32_t own_process();

struct Inside {
    explicit Inside(ThreadContext& t) : thread(t), reading(t.reader) { ++thread.depth; }
    ~Inside() { --thread.depth; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ThreadContext& thread;
    Reading reading;
};

// Writes a thread's state. Between `begin` and the destructor readers see an odd sequence and try again.
class StateWriter {
  public:
    [[gnu::always_inline]] explicit StateWriter(ThreadBlock& block) : block_(block) {
        block_.sequence.store(block_.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
    }
    [[gnu::always_inline]] ~StateWriter() {
        block_.sequence.store(block_.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    StateWriter(const StateWriter&) = delete;
    StateWriter& operator=(const StateWriter&) = delete;
    ThreadBlock* operator->() const { return &block_; }
    // The thread begins or ends a call that may wait.
    void step(Activity to) const {
        block_.calls.store(block_.calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        block_.activity.store(to, std::memory_order_relaxed);
    }

  private:
    ThreadBlock& block_;
};

// A new record of this rank's history, filled but for what the caller adds before `publish`.
class Recording {
  public:
    [[gnu::always_inline]] Recording(const ThreadContext& thread, Function function, std::uint64_t entered = ticks()) {
        const std::uint64_t turn = SoleThread::add(process().block->head, std::uint64_t{1});
        serial_ = turn + 1;
        position_ = position_of(turn);
        record_ = process().ledger.records(process().local) + position_;
        prefetch_to_write(record_ + 1, sizeof(Record));  // the next one's: it was used a whole ring ago
        record_->serial.store(0, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);  // a reader that sees any later store sees that 0 as well
        record_->entered = entered;
        record_->left.store(0, std::memory_order_relaxed);
        record_->function = static_cast<std::uint16_t>(function);
        record_->thread = static_cast<std::uint16_t>(thread.slot);
        record_->label = thread.label;
        record_->request = 0;
        record_->peer = kNobody;
        record_->tag = kAny;
        record_->communicator = kNone;
    }
    Record* operator->() const { return record_; }
    std::uint64_t serial() const { return serial_; }
    std::uint32_t position() const { return position_; }  // in the ring
    void publish() { record_->serial.store(serial_, std::memory_order_release); }
    // The time is that of the monitor's last heartbeat: reading the clock again would cost as much as all the rest.
    void leave(Word result) {
        const std::uint64_t look = process().ledger.header().monitor_beat.load(std::memory_order_relaxed);
        record_->result.store(static_cast<std::int32_t>(result), std::memory_order_relaxed);
        record_->left.store(look > record_->entered ? look : record_->entered, std::memory_order_release);
    }

  private:
    static std::uint32_t position_of(std::uint64_t turn) {
        const std::uint64_t history = process().ledger.layout().history;
        const bool power_of_two = (history & (history - 1)) == 0;
        if (power_of_two) [[likely]]
            return static_cast<std::uint32_t>(turn & (history - 1));
        return static_cast<std::uint32_t>(turn % history);  // a division takes longer than all the rest
    }

    Record* record_;
    std::uint64_t serial_;
    std::uint32_t position_;
};

// The call site of the thread's innermost Python frame outside libraries with its callers, interned; kNone without
// Python.
// The reader of frames is registered by the Python extension (call_sites.cpp); without it every answer is kNone.
using SiteReader = std::uint32_t (*)();
JAXMPI_EXPORT void set_site_reader(SiteReader reader);
std::uint32_t call_site();

// A new call site of this rank, for the caller to fill in and to publish by its `state`; kNone: there is no room.
JAXMPI_EXPORT std::uint32_t claim_site();

// A call site, its callers and the line of a handled exception: sites, kNone where there is none.
struct Route {
    std::uint32_t site = kNone;
    std::array<std::uint32_t, kCallers> callers = none();
    std::uint32_t handled = kNone;
    auto operator<=>(const Route&) const = default;
    bool is_site() const { return callers[0] == kNone && handled == kNone; }
    // Adds a line behind the others, as long as there are fewer than `most` callers, which are at most kCallers.
    void add(std::uint32_t line, std::size_t most) {
        if (line == kNone) return;
        if (site == kNone) {
            site = line;
            return;
        }
        const auto at = std::ranges::find(callers, kNone);
        if (at < callers.begin() + most) *at = line;
    }

  private:
    static constexpr std::array<std::uint32_t, kCallers> none() {
        std::array<std::uint32_t, kCallers> all{};
        all.fill(kNone);
        return all;
    }
};

// A new call path of this rank as a `site` of the ledger; the call site itself if there is no room.
JAXMPI_EXPORT std::uint32_t write_path(const Route& route);

// The Python stacks of all threads of this process as text, innermost frame first, and how many Python threads live.
// Callable from a native thread that never held the GIL. 0: there is no Python, or it cannot be read.
using StackReader = std::size_t (*)(char* out, std::size_t size, std::uint32_t* python_threads);
JAXMPI_EXPORT void set_stack_reader(StackReader reader);
std::size_t read_stacks(char* out, std::size_t size, std::uint32_t* python_threads);

// Entering a call that may wait: publishes activity, function, site, `waits`; leaving restores kRunning.
// `fill(StateWriter&)` adds what is particular. Shared by collectives and messages.
class Blocked {
  public:
    template <class Fill>
    Blocked(ThreadContext& thread, Function function, std::uint32_t site, Fill&& fill, std::uint64_t entered = ticks())
        : thread_(thread) {
        if (thread.block == nullptr) return;
        StateWriter state(*thread.block);
        state->function = static_cast<std::uint16_t>(function);
        state->site = site;
        state->label = thread.label;
        state->wait_count = 0;
        state->any_of = state->waits_overflow = 0;
        state->entered = entered;
        state.step(Activity::kBlocked);
        fill(state);
    }
    ~Blocked() {
        if (thread_.block == nullptr) return;
        StateWriter(*thread_.block).step(Activity::kRunning);
    }
    Blocked(const Blocked&) = delete;
    Blocked& operator=(const Blocked&) = delete;

  private:
    ThreadContext& thread_;
};

}  // namespace jaxmpi
