// Communicators (and windows and files) by canonical identity, equal on every member, never a raw handle.
#pragma once

#include <string>
#include <vector>

#include "core.hpp"

namespace jaxmpi {

struct Communicator {
    Word handle = 0;
    std::uint32_t index = kNone;         // in the ledger; kNone: not recorded there
    CommunicatorEntry* entry = nullptr;  // nullptr like `index`
    Lane* lane = nullptr;
    bool checked = false;                // false: foreign, unknown or given up; recorded, never compared
    bool inter = false;
    std::int32_t size = 0, rank = 0;     // of the local group
    std::vector<std::int32_t> world;     // world rank of each rank of the local group
    std::vector<std::int32_t> remote;    // of the remote group, intercommunicators
    // World rank of a peer named in a send, a receive or as a root; kNobody for PROC_NULL, kAny for ANY_SOURCE.
    std::int32_t world_of(std::int32_t rank_or_constant) const;
    std::int32_t lowest() const;         // world rank of the lowest member
};

// How a communicator came to be: what its identity is made of.
struct Birth {
    CommunicatorKind kind = CommunicatorKind::kIntra;
    std::uint64_t parent = 0;   // id
    std::uint32_t number = 0;   // creation number on the parent
    std::uint64_t key = 0;      // instead of parent and number where there is no parent: hash of group and tag
    const char* name = "";
    std::uint32_t site = kNone;
};

// The communicator behind a handle; nullptr: COMM_NULL, freed or not to be known. Valid until it is freed. Cheap.
Communicator* communicator(Word handle);

// Makes a new communicator known under the identity of its birth, to this rank and through the ledger to the others.
Communicator* adopt(Word handle, const Birth& birth);
// The same without a handle of its own to hang it on: a window or a file with the members of `of`. Owned by the caller.
Communicator* adopt_object(const Communicator& of, const Birth& birth);
// This rank leaves it. The last local member to leave gives the entry back.
void leave(Communicator& left);
// Nothing is compared on it any more; said once.
void give_up(Communicator& communicator, const char* why);
// Whether the handle was one that this process has freed, and where (site) it did.
bool was_freed(Word handle, std::uint32_t* site);
void remember_freed(Word handle, std::uint32_t site);

// Registers MPI_COMM_WORLD and MPI_COMM_SELF once the ledger is attached (called by the initialise handler).
void adopt_predefined();

// World ranks of the members of a group.
std::vector<std::int32_t> world_ranks(Word group);

}  // namespace jaxmpi
