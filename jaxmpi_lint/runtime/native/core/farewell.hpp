// What a rank leaves behind for the others to read.
#pragma once

#include "core.hpp"

namespace jaxmpi {

// Why the process is about to end: the traceback of an unhandled exception (`raised`) or a word, and its exit status.
// It may still call MPI_Finalize.
JAXMPI_EXPORT void farewell(const char* text, bool raised, std::int32_t status);

// Notes the end of the process, also if it comes without MPI_Finalize, and clears away after the last rank.
void watch_exit();

}  // namespace jaxmpi
