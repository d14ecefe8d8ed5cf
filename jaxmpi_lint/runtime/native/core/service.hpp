// One native thread of each rank that sleeps until the monitor, or a rank that ends the job, wants something.
#pragma once

#include "core.hpp"

namespace jaxmpi {

void start_service();

// Leaves a command for a rank; returns its serial. Works from any process that maps the ledger.
JAXMPI_EXPORT std::uint32_t send_command(RankBlock& rank, Command command);

}  // namespace jaxmpi
