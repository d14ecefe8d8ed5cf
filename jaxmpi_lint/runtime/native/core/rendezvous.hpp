// The rendezvous of the ranks of one host after MPI_Init, without messages: the sanitizer may not call a collective
// before it is known that every rank runs it, so it calls none.
#pragma once

#include <string>

#include "files.hpp"
#include "ledger.hpp"

namespace jaxmpi {

struct Met {
    std::string refusal;      // why nothing is checked; "" if all ranks of this host have agreed to check
    bool speaks = false;      // this rank prints it
    std::uint32_t local = 0;  // own index
    std::string segment;      // its path
    Mapping ledger;
};

// Waits for the other ranks of this host, at most Options::attach_seconds for each step.
Met meet(const std::string& library);

// Releases this rank's locks, at the very end of the process; returns the folder of the job, "" if it was in none.
std::string leave_board();

// Whether no rank of the job has printed the line of this hash before.
bool first_to_say(std::uint64_t hash);

}  // namespace jaxmpi
