// Programs repeat themselves: what was found out about a collective serves the next call with the same arguments.
#pragma once

#include "communicators.hpp"
#include "compare.hpp"
#include "dispatch.hpp"

namespace jaxmpi {

// All that the arguments of a collective say, but for the contents of buffers.
struct Described {
    Communicator* comm;
    Signature signature;
    Hashes hashes;
    Wait wait;  // but for its ordinal
};

// What this thread found out about such a call, as long as no handle became another's meanwhile; nullptr: nothing.
const Described* recalled(const Call& call);
// Keeps it for the next such call, if its arguments are of a kind that can be compared. `changes`: handle_changes
// before they were looked at.
void keep(const Call& call, const Described& described, std::uint64_t changes);

}  // namespace jaxmpi
