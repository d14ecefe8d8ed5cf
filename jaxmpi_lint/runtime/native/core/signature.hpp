// What this rank says of a collective it enters, from the call's arguments.
#pragma once

#include "communicators.hpp"
#include "dispatch.hpp"

namespace jaxmpi {

Signature signature_of(const Call& call, const Communicator* communicator);

}  // namespace jaxmpi
