// The lower-case methods of mpi4py: one collective of the user's, made of MPI calls which are the method's business.
#pragma once

#include "dispatch.hpp"

namespace jaxmpi {

// What `op` is when the user gave a Python function instead of an operator of MPI.
inline constexpr Word kPythonFunction = ~Word{0};

// The method `label` (see labels.hpp) on `comm` begins: from its first MPI call on it counts, and is compared, as one
// collective `function`; the MPI calls of this thread until leave_pickled do not. False: it is not watched, and
// leave_pickled is not to be called. `root` is kNobody and `op` 0 where the method has none.
JAXMPI_EXPORT bool enter_pickled(std::uint32_t label, Function function, Word comm, std::int32_t root, Word op);

// It ended. `failed`: it raised; if its first MPI call was refused for its arguments, its number is given back.
JAXMPI_EXPORT void leave_pickled(bool failed);

// An MPI call of such a method: forwarded, and the thread is seen to be blocked in it.
Word inside_pickled(const Call& call);

}  // namespace jaxmpi
