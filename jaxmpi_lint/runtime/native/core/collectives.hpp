// One call of a collective, from its number to its end; what all kinds of collectives share.
#pragma once

#include <functional>

#include "communicators.hpp"
#include "compare.hpp"
#include "dispatch.hpp"
#include "findings.hpp"
#include "repeated.hpp"
#include "series.hpp"
#include "slot.hpp"
#include "thread.hpp"
#include "vectors.hpp"

namespace jaxmpi {

// How many collectives a rank has entered on a communicator, and their hashes.
struct Before {
    std::uint64_t count = 0, rolling = 0, fine = 0;

    Before() = default;
    explicit Before(const Lane& lane)
        : count(lane.count.load(std::memory_order_relaxed)),
          rolling(lane.rolling.load(std::memory_order_relaxed)),
          fine(lane.fine.load(std::memory_order_relaxed)) {}
};

// From now on the other ranks count this rank as having entered one more.
inline void count_next(Lane& lane, const Before& before, const Hashes& hashes) {
    const std::uint64_t number = before.count + 1, rolling = rolled(before.rolling, hashes.coarse);
    lane.rolling.store(rolling, std::memory_order_relaxed);
    lane.fine.store(rolled(before.fine, hashes.fingerprint), std::memory_order_relaxed);
    if (Checkpoints::has(number)) [[unlikely]]
        lane.checkpoints.at(number).store(rolling, std::memory_order_relaxed);
    lane.count.store(number, std::memory_order_release);
}

// Numbers the call on its communicator, writes it into the history and compares it with the ranks that entered it
// before. `described` is not copied: it has to stay.
class Entered {
  public:
    Entered(ThreadContext& thread, Function function, const Described& described);
    // One that others have entered and counted so far, see steady.hpp.
    Entered(const Described& described, const Recording& record, std::uint32_t site, const Before& before);

    // Whether the call returns an error instead of being forwarded (on_error=raise).
    bool refused() const { return refused_; }
    std::uint64_t ordinal() const { return before_.count; }
    std::uint64_t when() const { return when_; }
    std::uint32_t site() const { return site_; }
    const Signature& signature() const { return described_.signature; }
    Communicator& comm() const { return *described_.comm; }
    Recording& record() { return record_; }

    // Reports a difference that was detected elsewhere, with the same consequences.
    void report_part(const Disagreement& part, const char* text);

    // From now on the other ranks count this rank as having entered.
    void count();
    // The call has returned. One that failed because of its arguments alone releases its number.
    void settle(Word result);
    // It did not take place: its number is released.
    void withdraw();

  private:
    // Publishes a word and compares with those of the others.
    Arrived arrive();
    SlotWord word() const;
    std::uint32_t fingerprint() const { return described_.hashes.fingerprint & SlotWord::kFingerprints; }
    bool is_suspect(const Arrived& arrived) const;
    void judge_all(Arrived arrived);
    void judge_past();
    bool judge(const Arrived& arrived);
    // The signature of this collective on another rank; false if it is no longer available.
    bool said_by(const Arrived& arrived, Signature& theirs, std::uint32_t& site) const;

    const Described& described_;
    Recording record_;
    std::uint64_t when_;
    Before before_;
    std::uint32_t site_;
    bool compared_ = false, refused_ = false, counted_ = false;
};

// Writes what does not change from one call of a collective to the next alike into the thread's state.
void describe(StateWriter& state, const Call& call, std::uint32_t communicator, const Signature& signature,
              const Wait& wait);

// Marks the thread as waiting for `wait` while this lives; nothing to wait for on a communicator of one.
class Waiting {
  public:
    Waiting(ThreadContext& thread, const Call& call, const Entered& entered, const Wait& wait);
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting();

  private:
    ThreadBlock* block_;
};

// A collective that is known, from entering to the end. `completed` runs when the request of a non-blocking one is seen
// to be complete.
Word carry_out(const Call& call, const Described& described, std::function<void()>* completed = nullptr);
Word carry_out(const Call& call, Communicator& comm, const Signature& signature, const Wait& wait,
               std::function<void()>* completed = nullptr);

// One that is known from an earlier call.
Word on_repeated_collective(const Call& call, const Described& same);

// A call on a communicator of which nothing is known; recorded only.
Word carry_out_unknown(const Call& call, const Communicator* comm);

// With the option `strict`: waits until every rank has entered the collective, see strict.cpp.
void await_everybody(const Call& call, const Entered& entered);

Word error_code();  // what a refused call answers
// Whether a call failed because of its arguments alone, so that no other rank took part in it.
bool failed_alone(Word result);

}  // namespace jaxmpi
