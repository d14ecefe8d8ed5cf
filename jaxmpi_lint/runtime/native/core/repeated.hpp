// Programs repeat themselves: what was found out about a collective serves the next call with the same arguments.
#pragma once

#include "communicators.hpp"
#include "compare.hpp"
#include "dispatch.hpp"

namespace jaxmpi {

// What a repeated collective needs of its communicator and thread without asking for it, see steady.hpp.
struct Steady {
    Lane* lane = nullptr;  // nullptr: the call is of a different kind
    CommunicatorEntry* entry = nullptr;
    std::uint64_t number = 0;  // of the description, among those that the thread keeps or has kept
    std::uint32_t index = kNone;
};

// All that the arguments of a collective say, but for the contents of buffers.
struct Described {
    Communicator* comm;
    Hashes hashes;
    Signature signature;
    Wait wait;  // but for its ordinal
    Steady steady{};
};

// What this thread found out about such a call, as long as no handle became another's meanwhile; nullptr: nothing.
const Described* recalled(const Call& call);
// The same, only if this is the thread's latest collective once more, with the same buffers: for the least work.
const Described* recalled_at_once(const Call& call);
// Keeps it for the next such call, if its arguments are of a kind that can be compared. `changes`: handle_changes
// before they were looked at.
void keep(const Call& call, const Described& described, std::uint64_t changes);

}  // namespace jaxmpi
