// Calls that MPI refuses where errors end the process (MPI_ERRORS_ARE_FATAL, with which every program begins).
//
// A handler of the sanitizer stands in for that one on MPI_COMM_WORLD, MPI_COMM_SELF, on what inherits from them and on
// windows: it only notes the error, the call returns, and it is reported before the process ends. Handlers of the
// program, MPI_ERRORS_RETURN and MPI_ERRORS_ABORT stay as they are, and the program never gets the stand-in to see.
#pragma once

#include "dispatch.hpp"

namespace jaxmpi {

// Right after MPI_Init.
void watch_refusals();

// From MPI_Finalize on, errors end the process in MPI itself.
void stop_watching_refusals();

// A window has been created.
void watch_refusals_of_window(Word window);

// Whether errors on a communicator with this error handler end the process.
bool is_fatal_handler(Word handler);

// The call has just returned to its interposer, and the thread's `refused` is set. Comes back only if MPI does not end
// the process, which is a defect of it.
void report_refusal(const Call& call);

}  // namespace jaxmpi
