// Communicators (and windows and files) by canonical identity: SANITIZER section "identity".
#pragma once

#include <vector>

#include "core.hpp"

namespace jaxmpi {

struct Communicator {
    Word handle;
    std::uint32_t index;                // in the ledger; kNone: not recorded there
    CommunicatorEntry* entry;           // nullptr like `index`
    Lane* lane;
    bool checked;                       // false: foreign, unknown or given up; recorded, never compared
    bool inter;
    std::int32_t size, rank;            // of the local group
    std::vector<std::int32_t> world;    // world rank of each rank of the local group
    std::vector<std::int32_t> remote;   // of the remote group, intercommunicators
    // World rank of a peer named in a send, a receive or as a root; kNobody for PROC_NULL, kAny for ANY_SOURCE.
    std::int32_t world_of(std::int32_t rank_or_constant) const;
};

// The communicator behind a handle; nullptr: COMM_NULL, freed or not to be known. Valid until it is freed. Cheap.
Communicator* communicator(Word handle);

// Registers MPI_COMM_WORLD and MPI_COMM_SELF once the ledger is attached (called by the initialise handler).
void adopt_predefined();

}  // namespace jaxmpi
