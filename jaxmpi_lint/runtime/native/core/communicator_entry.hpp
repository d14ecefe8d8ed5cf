// What the ledger keeps of a communicator, and of each member's part in it.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "enumerations.hpp"

namespace jaxmpi {

template <class T>
using Shared = std::atomic<T>;
static_assert(Shared<std::uint64_t>::is_always_lock_free && Shared<std::uint32_t>::is_always_lock_free);

inline constexpr std::uint32_t kSlots = 64;         // collectives of a communicator that may be in progress
inline constexpr std::uint32_t kFew = 4;            // local ranks, up to which each compares with each
inline constexpr std::uint32_t kLocalRanks = 1024;  // ranks of a node

// One rank's part in the series of its communicator, see series.hpp. Others read the first two; all else is its own.
struct alignas(64) SeriesMember {
    Shared<std::uint64_t> past;      // one more than the last collective for which it skipped publishing
    Shared<std::uint64_t> recorded;  // one more than the last collective that is in its history
    std::uint64_t whole;             // the word of the series once all ranks have joined it
    std::uint64_t from;              // the first collective without publishing; kNever: no such series
    std::uint64_t others_past;       // `past` of the others when the last series ended, at most
    std::uint32_t fingerprint;       // of the latest collective,
    std::uint32_t length;            // which was entered so many times in a row
    std::uint32_t patience;          // so many times before it joins
    std::uint32_t joined;            // the number of the series that it has joined last
    std::uint32_t seen;              // the number of the latest that it knows of
};

// The rolling hash at earlier counts, by which ranks compare that are never at rest at equal counts: of each power of
// two from 2^kLeast on, at the last two counts that are odd multiples of it. So recent ones are dense, older ones
// sparse.
struct Checkpoints {
    static constexpr std::uint32_t kLeast = 4, kPowers = 32;
    Shared<std::uint64_t> hashes[kPowers][2];  // 0: none

    static constexpr bool has(std::uint64_t count) { return (count & ((1U << kLeast) - 1)) == 0; }
    static std::uint32_t power(std::uint64_t count) {
        return std::min(static_cast<std::uint32_t>(std::countr_zero(count)) - kLeast, kPowers - 1);
    }
    Shared<std::uint64_t>& at(std::uint64_t count) {
        const std::uint32_t of = power(count);
        return hashes[of][count >> (of + kLeast + 1) & 1];
    }
};

// One rank's side of one communicator. Written by that rank only.
struct alignas(64) Lane {
    Shared<std::uint64_t> count;    // collectives entered
    Shared<std::uint64_t> rolling;  // hash of their coarse signatures, in order (see `coarse` in compare.hpp)
    Shared<std::uint64_t> fine;     // of their fingerprints: equal only if nothing at all differs
    Shared<std::uint32_t> state;    // LaneState
    Shared<std::uint32_t> created;  // communicators made from it so far
    std::int32_t rank;              // in the communicator, kNobody if not a member
    std::uint32_t site;             // where it was made
    Shared<std::uint32_t> posted;   // wildcard receives ever posted here
    Shared<std::uint32_t> open;     // of those, not complete: receives posted meanwhile have no known ordinal
    // Sums over its parts that go to and come from other hosts, see distant_parts.hpp: zero over all members if they
    // fit.
    Shared<std::uint64_t> sizes, kinds;  // of what must be equal; of the types also
    SeriesMember series;
    Checkpoints checkpoints;
};
// A communicator (or a window or a file, whose collectives are ordered among themselves). Made by the first of its
// members to arrive, found by its id by the others. `lanes` follow it in memory, one for each local rank.
struct alignas(64) CommunicatorEntry {
    Shared<std::uint64_t> id;  // canonical, equal on every member; 0: free
    Shared<std::uint32_t> generation;
    Shared<std::uint32_t>
        unchecked;                 // no longer checked: a revoked communicator, a failed process, an unknown identity
    Shared<std::uint64_t> failed;  // one more than the first collective on it that failed on a rank of this host
    // With `strict`, on several hosts: so many of its collectives have been entered by all members of this host, which
    // wait for those of other hosts (written by them), and so many were found to be equal on all hosts (by the
    // monitor).
    Shared<std::uint64_t> awaited, agreed;
    std::uint64_t parent;
    std::uint32_t number;  // creation number on the parent
    std::uint32_t size;    // of both groups together
    CommunicatorKind kind;
    std::uint8_t private_;  // a library's own (mpi4py's duplicates): not reported as leak
    std::uint8_t unused[6];
    char name[64];                            // MPI_COMM_WORLD, or what Comm_set_name said, or how it was made
    std::uint64_t members[kLocalRanks / 64];  // local ranks, as a bit set
    std::uint64_t remote[kLocalRanks / 64];   // of those, the group with the higher lowest rank (intercommunicators)
    // The words of the ranks that enter collective k, see slot.hpp.
    alignas(128) Shared<std::uint64_t> slots[kSlots * kFew];
    // The series that the members are in, see series.hpp. Written when one begins or ends.
    alignas(64) Shared<std::uint64_t> series;
    Shared<std::uint64_t> series_from;  // all ranks publish words before this collective
    Lane* lanes() { return reinterpret_cast<Lane*>(this + 1); }
};

}  // namespace jaxmpi
