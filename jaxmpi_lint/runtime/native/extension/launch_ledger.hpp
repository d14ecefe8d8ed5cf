// What the processes of a JAX job on one host tell each other of their launches: one file, mapped by all of them.
//
// Plain memory with atomics, as ledger.hpp. Each process writes its own lane; the sets of devices are shared.
#pragma once

#include <bit>

#include "ledger.hpp"

namespace jaxmpi::launches {

inline constexpr std::uint64_t kMagic = 0x4a4d504a41580003;  // the last digits are the version of this layout
inline constexpr std::uint32_t kLanes = 128;                 // processes of a host
inline constexpr std::uint32_t kProcesses = 1024;            // of the whole job, as far as anybody is waited for
inline constexpr std::uint32_t kSets = 64;                   // sets of devices
inline constexpr std::uint32_t kSlots = 1024;                // launches on a set that may be in the air
inline constexpr std::uint32_t kHistory = 1024;              // launches of a process that a report can look back on
inline constexpr std::uint32_t kPrograms = 2048;             // of a process
inline constexpr std::uint32_t kSites = 512;
inline constexpr std::uint32_t kFindings = 64;
inline constexpr std::uint32_t kItems = 512;  // of a process

enum class State : std::uint32_t {
    kAbsent,
    kRunning,
    kLeft,   // at JAX's shutdown, or past it
    kEnded,  // its process is gone after it had left
    kDead,   // its process ended silently; written by the monitor
    kBlind,  // it does not record its launches; nothing is known of it
};

// What the monitor wants of a process.
enum class Order : std::uint32_t {
    kNothing,
    kStacks,
    kStill,  // no Python any more: what it would say now is only that others have ended
    kEnd,
};

// What becomes of a process that aborts.
enum class Abort : std::uint32_t {
    kNone,
    kAsked,         // by the process: whether that of JAX's coordinator is gone
    kGoesOn,        // it is not: the abort is the process's own
    kAwaitsTheEnd,  // it is: the monitor ends the job
};

enum class Kind : std::uint32_t { kCollectives, kItem, kProgram };

// Where the first process of a launch publishes its hash. A word: the turn of the slot (16 bits), the hash (48 bits).
struct Slot {
    Shared<std::uint64_t> signature;
    Shared<std::uint64_t> program;
    Shared<std::uint64_t> item;  // see `word` of Item
};

// Devices that are launched on together. Found by its key, claimed by the first process that needs it.
struct alignas(64) Set {
    Shared<std::uint64_t> key;  // hash of the devices in order; 0: free
    Shared<std::uint32_t> named;
    Shared<std::uint32_t> arrivals;  // futex: somebody has come to a launch, with `strict`
    char name[124];
    Slot slots[kSlots];
};

// An executable of one process; written once before `state` becomes 1.
struct Program {
    Shared<std::uint32_t> state;
    std::uint32_t set;
    std::uint64_t signature, program;         // hashes; program 0: unknown
    std::uint64_t partners[kProcesses / 64];  // processes without which it cannot finish, as a bit set
    char name[104];
};

// What a loop over a set has chosen for a launch, "arrays['density']"; written once before `state` becomes 1.
struct Item {
    Shared<std::uint32_t> state;
    std::uint64_t choices;  // hash of what there was to choose from
    char text[116];

    // For comparisons, in the upper 48 bits: only items that were chosen from the same can differ.
    static std::uint64_t word(std::uint64_t choices, std::uint64_t item) {
        return choices >> 40 << 40 | item >> 41 << 17 | 1 << 16;
    }
    static bool differ(std::uint64_t slot, std::uint64_t other) {
        return (slot >> 24 & 0xff'ffff) == (other >> 24 & 0xff'ffff) && slot != other;
    }
};

// A launch. `serial` is written last.
struct Record {
    Shared<std::uint64_t> serial;  // position in the history plus one
    std::uint64_t sequence;        // on its set, from 0
    std::uint64_t when;            // CLOCK_MONOTONIC, ns
    std::uint32_t set, program, site, item, held;
};

struct Finding {
    Shared<std::uint32_t> state;  // 1: written
    Kind kind;
    std::uint32_t lane, set;
    std::uint64_t sequence;
};

struct alignas(64) Lane {
    Shared<State> state;
    std::int32_t index;             // jax.process_index()
    std::int32_t process;           // pid
    Shared<std::uint32_t> raised;   // 1: `farewell` is a traceback
    Shared<std::uint32_t> command;  // futex; (serial << 8) | Order
    Shared<std::uint32_t> answered;
    Shared<std::uint32_t> abort;  // futex; an Abort
    Shared<std::uint32_t> programs, sites, items;
    Shared<std::uint64_t> head;  // launches ever
    Shared<std::uint64_t> counts[kSets];
    Shared<std::uint64_t> met[kSets];  // with `strict`: launches up to here are those of the others
    char farewell[8192];
    char stacks[16384];  // answer to Order::kStacks
    Record history[kHistory];
    Program program[kPrograms];
    Site site[kSites];
    Item item[kItems];
};

struct Header {
    std::uint64_t magic;
    Shared<std::uint32_t> ready;
    std::uint32_t expected;  // processes of the whole job
    Shared<std::uint32_t> attached;
    Shared<std::uint32_t> alarm;  // futex: rung by processes, awaited by the monitor
    Shared<std::uint32_t> told;   // futex: findings that the monitor has dealt with
    Shared<std::uint32_t> over;   // the job ends, with
    Shared<std::uint32_t> exit_code;
    Shared<std::uint32_t> found;       // findings ever
    Shared<std::uint32_t> overtaken;   // launches that came too late to be compared
    Shared<std::uint32_t> unagreed;    // launches that began, with `strict`, before all had come to them
    Shared<std::uint32_t> unrecorded;  // launches on more sets than there is room for
    Shared<std::int32_t> monitor;
    char job[256];
    char host[128];
    char library[128];
    char options[1024];
    Finding findings[kFindings];
    Set sets[kSets];
};

// Bytes of the file that are locked: by who joins, by the monitor, by each living process.
inline constexpr std::size_t kDoor = 0, kMonitor = 1, kAlive = 1024;

inline constexpr std::size_t kLanesBegin = (sizeof(Header) + 4095) / 4096 * 4096;
inline constexpr std::size_t kLaneSize = (sizeof(Lane) + 4095) / 4096 * 4096;
inline constexpr std::size_t kSize = kLanesBegin + kLanes * kLaneSize;

inline Header& header(void* base) { return *static_cast<Header*>(base); }
inline Lane& lane(void* base, std::uint32_t i) {
    return *reinterpret_cast<Lane*>(static_cast<std::byte*>(base) + kLanesBegin + i * kLaneSize);
}

}  // namespace jaxmpi::launches
