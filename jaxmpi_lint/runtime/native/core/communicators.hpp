// Communicators (and windows and files) by canonical identity: see docs/sanitizer-semantics.md.
#pragma once

#include <functional>
#include <vector>

#include "core.hpp"

namespace jaxmpi {

// What every collective looks at comes first, in one cache line.
struct alignas(64) Communicator {
    Word handle;
    CommunicatorEntry* entry;                   // nullptr: not recorded in the ledger
    Lane* lane;                                 // nullptr like `entry`
    std::uint32_t index;                        // of the entry, kNone likewise
    std::int32_t everybody = 1;                 // ranks of both groups
    std::int32_t size, rank;                    // of the local group
    std::uint32_t members_here = 0, place = 0;  // on this host, and the own place among them
    bool checked;                               // false: foreign, unknown or given up; recorded, never compared
    bool inter;
    bool predefined = false;           // never freed
    std::vector<std::int32_t> world;   // world rank of each rank of the local group
    std::vector<std::int32_t> remote;  // of the remote group, intercommunicators
    std::uint64_t id = 0;
    std::uint32_t site = kNone;           // where it was made
    bool is_private = false;              // a library's own
    const char* how = "";                 // the function that made it
    std::vector<std::uint64_t> searched;  // for each local rank: up to where its history was looked through

    // World rank of a peer named in a send, a receive or as a root; kNobody for PROC_NULL, kAny for ANY_SOURCE.
    std::int32_t world_of(std::int32_t rank_or_constant) const;
    // The slot in which this rank leaves its word for a collective.
    Shared<std::uint64_t>& slot(std::uint64_t ordinal) const {
        return entry->slots[ordinal % kSlots * kFew + (members_here <= kFew ? place : 0)];
    }
    bool spans_hosts() const { return members_here < static_cast<std::uint32_t>(everybody); }
    bool compared() const {
        return entry != nullptr && checked && entry->unchecked.load(std::memory_order_relaxed) == 0;
    }
};

// The communicator behind a handle; nullptr: COMM_NULL, freed or not to be known. Valid as long as the
// caller is `Reading`. Cheap.
Communicator* communicator(Word handle);

// The window or file behind a handle; nullptr: its creation was not seen.
Communicator* object(Word handle);

// Registers MPI_COMM_WORLD and MPI_COMM_SELF once the ledger is attached (called by the initialise handler).
void adopt_predefined();

// The members of a communicator, as world ranks; kNobody: not of MPI_COMM_WORLD.
struct Groups {
    bool known = false, inter = false, foreign = false;
    std::int32_t rank = 0;
    std::vector<std::int32_t> local, remote;

    std::int32_t lowest() const;
    std::uint64_t hash() const;  // of all members, whichever side one is on
};
Groups groups_of(Word comm);

// What a new communicator, window or file is to be known as.
struct Birth {
    std::uint64_t id = 0;      // 0: unknown; recorded on no entry
    std::uint64_t parent = 0;  // its id
    std::uint32_t number = 0;
    CommunicatorKind kind = CommunicatorKind::kIntra;
    bool is_private = false;
    const char* how = "";
    std::uint32_t site = kNone;
};
Communicator* adopt(Word handle, Groups groups, const Birth& birth);

// The handle is no longer valid, after a call of the program or a deletion callback of MPI. With `only`, nothing is
// done if it refers to a different communicator by now.
void forget(Word handle, const Communicator* only = nullptr);

// Visits all that live.
void each_communicator(const std::function<void(const Communicator&)>& visit);

}  // namespace jaxmpi
