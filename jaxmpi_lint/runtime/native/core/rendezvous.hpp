// How the ranks of one host find each other after MPI_Init, without a message: nobody may enter a collective of the
// tool's own before it is known that every rank carries the tool, so there is none.
#pragma once

#include <string>

#include "files.hpp"
#include "ledger.hpp"

namespace jaxmpi {

struct Met {
    std::string refusal;      // why nothing is checked; "" if all ranks of this host have agreed to check
    bool speaks = false;      // this rank says so
    std::uint32_t local = 0;  // own index
    std::string segment;      // its path
    Mapping ledger;
};

// Waits for the other ranks of this host, at most Options::attach_seconds for each step.
Met meet(const std::string& library);

// Gives up this rank's locks, at the very end of the process; answers the folder of the job, "" if it was in none.
std::string leave_board();

// Whether no rank of the job has said the line of this hash before.
bool first_to_say(std::uint64_t hash);

}  // namespace jaxmpi
