// With the option `strict`, on several hosts: what the monitors have found equal on all of them.
#pragma once

#include "ledger.hpp"

namespace jaxmpi {

// A collective of a communicator that has ranks on other hosts, by the index of the communicator's entry.
struct Numbered {
    std::uint32_t communicator;
    std::uint64_t ordinal;
};

// Whether all members on this host have entered it, or it is known that they never will.
bool everybody_came(CommunicatorEntry& entry, std::uint64_t ordinal);

// Whether the monitors have compared it; also if they never will, so that no rank waits for it.
bool is_agreed(const Numbered& one);
// Lets the monitors look, once all ranks of this host have entered it; one rank of the host does so.
void ask_to_agree(const Numbered& one);
// What a rank does that found it not agreed and does not wait: messages go on, and the monitor is looked after. It does
// not return if the job ends.
void keep_going(const Numbered& one);
// Waits until it is agreed. The wait ends as well if the monitors do not compare the hosts (any more), or none
// responds.
void await_agreement(const Numbered& one);

// The pauses of a rank that waits: longer and longer, and ended by each agreement since the one before.
class Pauses {
  public:
    Pauses();
    void pause();

  private:
    static constexpr double kFirst = 0.0002, kLongest = 0.002;  // between probes, with which messages go on
    double seconds_ = kFirst;
    std::uint32_t serial_;
};

}  // namespace jaxmpi
