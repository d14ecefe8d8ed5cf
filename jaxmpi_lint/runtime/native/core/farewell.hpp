// What a rank leaves behind for the others to read.
#pragma once

#include "core.hpp"

namespace jaxmpi {

// Why the process is about to end: the traceback of an unhandled exception (`raised`) or a word, and its exit status.
// It may still call MPI_Finalize.
JAXMPI_EXPORT void farewell(const char* text, bool raised, std::int32_t status);

// The last thing that a process does: its state is told, its locks are dropped, and what the job leaves behind is
// cleared away if nobody else is there to do it.
void part(std::int32_t status);

// Does so at the end of the process, also if that comes without MPI_Finalize.
void watch_exit();

}  // namespace jaxmpi
