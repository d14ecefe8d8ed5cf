// From MPI_Init to the end of the process.
#pragma once

#include <array>

#include "core.hpp"

namespace jaxmpi {

// Runs `scan` when the program has called MPI_Finalize and the libraries above have cleaned up, while MPI still
// answers: to look for what was never freed, completed or received.
void at_end(void (*scan)());

// Says so if MPI was initialised before the sanitizer came; nothing is checked then.
JAXMPI_EXPORT void notice_initialised();

// Gives up for good and says why.
JAXMPI_EXPORT void go_passive(const std::string& why);

}  // namespace jaxmpi
