// The communicators with members on other hosts that a rank has freed. Their entries are used again, so each rank keeps
// what it entered on the latest of them, and of all of them a sum that is zero over all ranks of the job if all members
// of each have freed it after the same collectives.
#pragma once

#include "core.hpp"

namespace jaxmpi {

// The calling rank frees the communicator in this entry.
void keep_former(CommunicatorEntry& entry, std::uint32_t index);

}  // namespace jaxmpi
