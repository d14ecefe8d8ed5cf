// The record of a rank's end, read by the monitor and the other ranks.
#pragma once

#include "core.hpp"

namespace jaxmpi {

// Why the process is about to end: the traceback of an unhandled exception (`raised`) or a short text, and its exit
// status. It may still call MPI_Finalize.
JAXMPI_EXPORT void farewell(const char* text, bool raised, std::int32_t status);

// The status that the program asked for by `sys.exit`; 0 if it did not.
std::int32_t asked_status();

// The last action of a process: records its state, releases its locks, and removes the files of the job if no other
// process of it is alive.
void part(std::int32_t status);

// Does so at the end of the process, also if that comes without MPI_Finalize.
void watch_exit();

}  // namespace jaxmpi
