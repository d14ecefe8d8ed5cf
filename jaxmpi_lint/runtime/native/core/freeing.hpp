// The end of communicators: freed, used all the same, or never freed.
#pragma once

#include <string>
#include <string_view>

#include "communicators.hpp"
#include "dispatch.hpp"
#include "findings.hpp"

namespace jaxmpi {

// The handle was a communicator's that the program freed, and is no other's yet.
bool was_freed(Word handle);
void is_alive_again(Word handle);

// A call on a handle that communicator() does not know: forwards it, and reports it if it is a use after free.
Word on_unknown_communicator(const Call& call, Word handle);

// A method of mpi4py's is called on a handle that communicator() does not know; it may raise before it comes to MPI.
void note_use(Word handle, const char* name);

// Reports the use of a freed communicator that ended in an error, if it is the one that now ends the process.
void report_fatal_use(std::string_view traceback);

// The operation of mpi4jax runs on a handle that stood for another communicator, since freed, when it was compiled.
void report_stale_use(const std::string& operation, const Communicator& now);

// Looks for communicators that were never freed when MPI_Finalize comes.
void watch_leaks();

}  // namespace jaxmpi
