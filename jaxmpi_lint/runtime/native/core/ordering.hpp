// mpi4py and mpi4jax on one communicator: what a compiled function communicates happens some time after the program
// has called it, and a call of MPI that the program makes meanwhile may come first.
#pragma once

#include <cstdint>
#include <vector>

#include "export.hpp"

namespace jaxmpi {

struct Call;
struct KnownOperation;
struct ThreadContext;

// The calling thread is about to start a compiled function with these operations; until `launch_ends` what runs on it
// belongs to that function. `alone`: everything that the thread has started before has ended.
JAXMPI_EXPORT void launch_begins(const std::vector<std::uint64_t>& keys, bool alone);
JAXMPI_EXPORT void launch_ends();

// The program makes a call of MPI by itself, on a thread that has started such functions.
void note_own_call(const Call& call);
// The same for a method of mpi4py that pickles and communicates on a private duplicate of `comm`: no data are mixed up,
// but which comes first is open all the same.
void note_own_method(const ThreadContext& thread, std::uintptr_t comm);

// An operation begins to communicate: reports a call that the program made after it started it and that came first.
void check_overtaken(KnownOperation& operation, const ThreadContext& thread);

}  // namespace jaxmpi
