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

namespace jaxmpi {

// Numbers the call on its communicator, writes it into the history and compares it with whoever came before.
// `described` is not copied: it has to stay.
class Entered {
  public:
    Entered(ThreadContext& thread, Function function, const Described& described);

    // The program is to see an error instead of the call (on_error=raise).
    bool refused() const { return refused_; }
    std::uint64_t ordinal() const { return ordinal_; }
    std::uint64_t when() const { return when_; }
    std::uint32_t site() const { return site_; }
    const Signature& signature() const { return described_.signature; }
    Communicator& comm() const { return *described_.comm; }
    Recording& record() { return record_; }

    // Reports what was noticed elsewhere; the same consequences.
    void report_part(std::int32_t peer, std::uint64_t mine, std::uint64_t theirs, const char* text);

    // From now on the others take it as having come.
    void count();
    // The call is over. One that failed for its arguments alone gives its number back.
    void settle(Word result);
    // It did not take place after all: its number is free again.
    void withdraw();

  private:
    // Leaves a word for the others and looks at theirs.
    Arrived arrive();
    SlotWord word() const;
    std::uint32_t fingerprint() const { return described_.hashes.fingerprint & SlotWord::kFingerprints; }
    bool is_suspect(const Arrived& arrived) const;
    void judge_all(Arrived arrived);
    void judge_past();
    bool judge(const Arrived& arrived);
    // What another rank says of this collective; false if that can no longer be known.
    bool said_by(const Arrived& arrived, Signature& theirs, std::uint32_t& site) const;

    const Described& described_;
    Recording record_;
    std::uint64_t when_;
    std::uint64_t ordinal_ = 0;
    std::uint64_t rolling_before_ = 0;
    std::uint32_t site_;
    bool compared_ = false, refused_ = false, counted_ = false;
};

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

// A call on a communicator of which nothing is known; recorded only.
Word carry_out_unknown(const Call& call, const Communicator* comm);

// With the option `strict`: until every local member has come.
void await_everybody(const Call& call, const Entered& entered);

Word error_code();  // what a refused call answers
// Whether a call failed for its arguments alone, so that no other rank took notice of it.
bool failed_alone(Word result);

}  // namespace jaxmpi
