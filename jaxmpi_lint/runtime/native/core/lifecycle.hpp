// From MPI_Init to the end of the process.
#pragma once

#include <array>

#include "core.hpp"

namespace jaxmpi {

// Runs `scan` when the program has called MPI_Finalize and the libraries above have cleaned up, while MPI still
// answers: to look for what was never freed, completed or received.
void at_end(void (*scan)());

// Says so at the end of the process if MPI was initialised and no interposer was called: nothing was checked then.
JAXMPI_EXPORT void watch_start();

// Gives up for good and says why.
JAXMPI_EXPORT void go_passive(const std::string& why);

}  // namespace jaxmpi
