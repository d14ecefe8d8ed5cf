// From the arguments of a collective to what is compared, and to whom the call waits for.
#pragma once

#include "communicators.hpp"
#include "dispatch.hpp"

namespace jaxmpi {

// Whether this rank passes MPI_IN_PLACE.
bool is_in_place(const Call& call);

// False: the arguments are wrong on their face (a root that is no rank, a negative count); the call will fail alone and
// must not be compared.
bool describe(const Call& call, const Communicator& comm, Signature& signature);

// What a call with this signature waits for. `all_parts`: it cannot return before every member has come, as far as its
// parts tell.
Wait wait_for(const Communicator& comm, const Signature& signature, Flow flow, std::uint64_t ordinal, bool all_parts);

}  // namespace jaxmpi
