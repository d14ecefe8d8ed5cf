// This process's side of the ledger of launches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "launch_ledger.hpp"

namespace jaxmpi::launches {

struct Joining {
    std::string identity;  // equal in all processes of the job on this host
    std::int32_t index;
    std::uint32_t expected;
    std::string job, library, options;
    std::vector<std::string> monitor;  // its command
    bool goes_on;                      // on_error=continue
    bool strict;
    double patience;  // seconds that a launch waits for others, with `strict`
    std::int32_t exit_code;
};

// Finds the ledger of the job, or makes it, and takes a lane. How many have, with this process; throws
// std::runtime_error with the reason if it cannot be.
std::uint32_t join(const Joining& wanted);

bool joined();
bool checked();               // joined, and its launches are recorded
const std::string& folder();  // of the job
void leave();                 // the program has come to JAX's shutdown
void give_up();               // launches of this process are no longer recorded, and no process waits for them
void farewell(const std::string& traceback);
std::uint64_t recorded();  // launches of this process
bool monitored();

// Asked before launches of which other hosts are to know: the set's key, the number on the set, what is launched.
enum class Word : std::uint32_t { kAgreed, kProgramDiffers, kItemDiffers, kCollectivesDiffer };
using Ask = Word (*)(std::uint64_t set, std::uint64_t sequence, std::uint64_t signature, std::uint64_t program,
                     std::uint64_t item, const std::vector<std::uint32_t>& partners);
void ask_others(Ask ask);  // null: no question

std::uint32_t attached();          // processes of this host that have joined
void ring();                       // wakes the monitor
std::vector<std::int32_t> here();  // the indices of processes of this host that record their launches
void begin_unagreed();             // a launch begins, with `strict`, before all have come to it
bool over();                       // the job ends

// An executable that this process launches. Not copied: the address of `told` is its own.
class Launch {
  public:
    Launch(std::uint64_t set, const std::string& devices, std::uint64_t signature, std::uint64_t program,
           const std::vector<std::uint32_t>& partners, const std::string& name);

    // A launch begins; throws std::runtime_error if it must not. Needs the GIL.
    void begin();
    std::uint32_t place() const { return place_; }

  private:
    std::uint32_t set_, place_;
    std::uint64_t signature_, program_;
    std::vector<std::uint32_t> partners_;
    bool told_ = false, items_told_ = false, asked_ = false;
};

}  // namespace jaxmpi::launches
