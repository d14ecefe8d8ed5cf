// What an operation of mpi4jax, or of our collectives, will tell MPI when it runs.
#pragma once

#include "communicators.hpp"
#include "operations.hpp"

namespace jaxmpi {

struct Predicted {
    Communicator* comm;
    Signature signature;
};

// False if that cannot be told: then nothing is known of what follows it either.
bool predict(const Operation& what, Predicted& predicted);

}  // namespace jaxmpi
