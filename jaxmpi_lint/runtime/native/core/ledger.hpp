// The ledger: one shared-memory segment per job and node, written by the ranks, read by all processes.
//
// Everything here is plain memory with atomics in it: no pointers, because every process maps it elsewhere, and nothing
// that needs a constructor. Each part states its writer. It outlives the ranks, as a flight recorder.
#pragma once

#include <cstddef>
#include <cstdint>

#include "communicator_entry.hpp"
#include "functions.hpp"

namespace jaxmpi {

inline constexpr std::uint64_t kLayout = 13;  // its version, apart from the words of enumerations
inline constexpr std::uint64_t kMagic = 0x4a4d5053414e0000 | ((kWordsHash + kLayout) & 0xffff);
inline constexpr std::uint32_t kThreads = 16;  // threads of a rank that may call MPI
inline constexpr std::uint32_t kWaits = 32;    // things one call can be seen to wait for
inline constexpr std::uint32_t kFindings = 64;
inline constexpr std::uint32_t kSaid = 64;     // lines that are said once
inline constexpr std::uint32_t kSites = 2048;  // call sites of a rank
inline constexpr std::uint32_t kPaths = 4096;  // call paths of a rank
inline constexpr std::uint32_t kCallers = 4;   // lines of a call path, besides the call site itself
inline constexpr std::uint32_t kAhead = 128;   // collectives that a rank announces
inline constexpr std::uint32_t kFormer = 128;  // freed communicators of a rank
inline constexpr std::int32_t kAny = -1;       // any source, any tag
inline constexpr std::int32_t kNobody = -2;    // no such rank: PROC_NULL, an absent root
inline constexpr std::int32_t kUnknownStatus = -0x7fffffff;
inline constexpr std::uint32_t kPlaceBits = 16;     // of the index of a communicator, see Ledger::index_of
inline constexpr std::uint32_t kNone = 0xffffffff;  // no such index: communicator, rank, site

enum SignatureFlag : std::uint8_t {
    kInPlace = 1,  // this rank passed MPI_IN_PLACE
    kNonBlocking = 2,
    kPersistent = 4,
    kPickled = 8,        // a lower-case method of mpi4py; counts and types are the library's business
    kCountUnknown = 16,  // the standard lets this rank's count and type be ignored, or it cannot know its peers'
};

// What a rank says of a collective it enters. Never contains a raw handle, an address, or an ordinal of a user object.
struct Signature {
    std::uint16_t function;  // Function, always the blocking form: Iallreduce and Allreduce_init say Allreduce
    std::uint8_t flags;      // SignatureFlag
    Base base;               // of the elements, kMixed if they differ
    std::uint8_t width;      // bytes of one element of `base`
    std::uint8_t unused[3];
    std::int32_t root;             // in the communicator (the group, on an intercommunicator); kNobody if it has none
    std::uint32_t reduction;       // canonical number of a predefined operator, kUserOperator for a user's; 0: none
    std::uint32_t reduction_site;  // which operator of the user: see Operator in operators.hpp
    std::uint32_t note;            // hash of what else must agree: a file's access mode, a split type, a pickled method
    std::uint64_t type_hash;       // of the whole sequence of elements, in order, independent of how types were built
    std::uint64_t elements;        // number of basic elements
    std::uint64_t bytes;
};
static_assert(sizeof(Signature) == 48);
inline constexpr std::uint32_t kUserOperator = 0xffff;

struct Wait {
    WaitKind kind;
    std::uint8_t certain;  // 0: the call may return alone, so this edge proves nothing by itself
    std::uint8_t flow;     // Flow, for collectives
    std::uint8_t unused;
    std::int32_t peer;           // world rank; kAny; for collectives the world rank of the root, or kNobody
    std::int32_t tag;            // kAny
    std::uint32_t communicator;  // index of the entry
    std::uint64_t ordinal;       // of the collective; of the message on its channel that is sent or awaited, 0 unknown
};
static_assert(sizeof(Wait) == 24);

// One thread of a rank. Written by that thread only, under `sequence` (odd while it writes).
struct alignas(64) ThreadBlock {
    Shared<std::uint32_t> sequence;
    Shared<Activity> activity;
    std::int32_t kernel_id;  // gettid
    std::uint16_t function;
    std::uint8_t any_of;          // 1: one of `waits` is enough (Waitany, Waitsome), 0: all are needed
    std::uint8_t waits_overflow;  // there are more than kWaits
    std::uint32_t wait_count;
    std::uint32_t site;
    std::uint32_t communicator;  // index of the entry, kNone
    std::uint32_t label;         // Label: the user's method around the MPI calls, 0 none
    std::uint64_t ordinal;
    std::uint64_t entered;        // ticks
    Shared<std::uint64_t> calls;  // finished and begun MPI calls of this thread: progress
    Signature signature;          // of the collective being entered
    Wait waits[kWaits];
};

// History of one rank: a ring. Written by its rank, claimed by fetch_add on RankBlock::head; `serial` is the position
// plus one and is written last, so that a reader can tell a record from its predecessor.
struct alignas(32) Record {
    Shared<std::uint64_t> serial;
    std::uint64_t entered;       // ticks
    Shared<std::uint64_t> left;  // ticks, rounded down to the monitor's look before, or `entered`; 0 while inside
    std::uint64_t ordinal;       // of a collective on its communicator; of a message on its channel
    std::uint32_t communicator;
    std::uint32_t site;
    std::uint32_t request;  // serial number of the request that the call made or completed, 0 none
    std::int32_t peer;      // world rank, kAny, kNobody
    std::int32_t tag;
    std::uint16_t thread;
    std::uint16_t function;       // Function as called
    Shared<std::int32_t> result;  // MPI's return code
    std::uint32_t label;
    Signature signature;  // collectives: compared; messages: base, elements, bytes, and Send, Bsend, Ssend, Recv, Probe
};
static_assert(sizeof(Record) == 128);

// A part of a v-collective that a rank exchanges with one of a different host, see distant_parts.hpp. A ring for each
// rank, written by it and claimed by fetch_add on RankBlock::distant; `serial` as in a Record, 0: taken back.
struct DistantPart {
    Shared<std::uint64_t> serial;
    std::uint64_t ordinal;       // of the collective
    std::uint32_t communicator;  // index of the entry
    std::int32_t peer;           // world rank
    std::uint32_t bytes;
    std::uint8_t type;     // as in a Part
    std::uint8_t sending;  // 1: goes to the peer, 0: comes from it
    std::uint16_t unused;
};
static_assert(sizeof(DistantPart) == 32);

// A communicator with members on other hosts that a rank has freed, see former.hpp: what is kept of its entry. A ring
// for each rank, written by it; `serial` as in a Record.
struct Former {
    Shared<std::uint64_t> serial;
    std::uint64_t id, count, rolling, fine, sizes, kinds;
    std::uint32_t index, site, size;
    std::int32_t rank;  // own, in the communicator
    CommunicatorKind kind;
    std::uint8_t private_, unchecked;
    char name[sizeof(CommunicatorEntry::name)];
};

enum Verdict : std::uint32_t { kContinue, kEnd, kEndEverywhere };  // the ranks of this host, or of all hosts, end

// Whether the monitors of several hosts compare each blocking collective before it begins, with `strict`.
enum class Union : std::uint32_t { kUndecided, kTogether, kApart };

enum class Command : std::uint32_t { kNothing, kStacks, kEnd };

// A call site of one rank; written once by it before `state` becomes 1. Of compiled code only the instruction is known
// at the call: `file` is the program or library, `line` is 0, and `function` identifies the build, see mapped.hpp. The
// reader looks up the line in the debug information.
struct Site {
    Shared<std::uint32_t> state;
    std::uint32_t line;
    std::uint32_t caller;   // site of the calling frame, kNone
    std::uint32_t address;  // of compiled code: where the call returns to, as in the symbol table; 0: Python
    char function[80];
    char file[224];
    char operand[64];  // of an operation of mpi4jax: shape and dtype, "float32[4,8]"; of an exception its class
};

// A call site and the lines of the program from which it was reached, the innermost first. Written like a Site.
// Wherever the ledger keeps a `site`, it is the index of a Site, or kSites and the index of a CallPath.
struct CallPath {
    Shared<std::uint32_t> state;
    std::uint32_t site;
    std::uint32_t callers[kCallers];  // sites; kNone behind the last
    std::uint32_t handled;            // the line that an exception has passed which the thread handles; kNone
};
static_assert(sizeof(CallPath) == 28);

// A collective that a compiled function of the rank is going to enter.
struct Announced {
    std::uint64_t ordinal;
    std::uint32_t communicator;  // index of the entry
    std::uint32_t site;
    std::uint32_t label;
    std::uint32_t unused;
    Signature signature;
};

// Those of the function that the rank compared last, see preflight.hpp. Written by the rank, under `sequence` (odd
// while it writes); what is behind the rank's own count on the communicator is past.
struct Announcement {
    Shared<std::uint32_t> sequence;
    std::uint32_t count;
    Announced collectives[kAhead];
};

struct alignas(64) RankBlock {
    std::int32_t world_rank;
    std::int32_t process;           // pid, as seen by the rank
    std::uint64_t process_started;  // from /proc/self/stat: a pid may be reused
    Shared<RankState> state;
    Shared<std::int32_t> exit_status;  // valid from kExited on; kVanished: negative is a signal, or kUnknownStatus
    Shared<std::uint32_t> raised;      // 1: `farewell` is the traceback of an unhandled exception
    Shared<std::uint32_t> python;      // 1: an interpreter runs in it
    Shared<std::uint32_t>
        command;  // futex; (serial << 8) | Command, written by the monitor or a rank that ends the job
    Shared<std::uint32_t> answered;        // serial of the last command carried out
    Shared<std::uint32_t> python_threads;  // answer to kStacks: live Python threads
    Shared<std::uint32_t> uncertain;  // 1: something that forbids proofs: cancelled receives, generalised requests,
                                      // spawned or connected processes, too many threads
    Shared<std::uint32_t> site_count;
    Shared<std::uint32_t> path_count;
    Shared<std::uint64_t> head;                      // records ever written
    Shared<std::uint64_t> progress;                  // calls of all threads, for a cheap look
    Shared<std::uint64_t> distant;                   // parts of v-collectives ever exchanged with other hosts
    Shared<std::uint64_t> former_count, former_sum;  // of the communicators that it has freed
    ThreadBlock threads[kThreads];                   // the first one in the same page as all the above
    char farewell[8192];                             // written before `raised` or the last state
    char stacks[32768];                              // answer to kStacks
    Announcement ahead;
    Former former[kFormer];
};

// Messages of one (communicator, source, destination, tag). Who writes what lies apart, or every message would move a
// cache line between two processors for nothing.
struct alignas(64) Channel {
    Shared<std::uint32_t> state;  // 0 free, 1 being claimed, 2 in use, 3 given up
    std::uint32_t communicator;
    std::uint64_t communicator_id;
    std::int32_t source;  // world ranks; kAny for the destination's wildcard receives
    std::int32_t destination;
    std::int32_t tag;  // kAny likewise
    // By the source, seldom:
    Shared<std::uint32_t> since;    // from which message on they all are `carried`; kNone: not to be compared
    Shared<std::uint64_t> carried;  // what its messages are made of, see messages.hpp; 0 nothing known
    Shared<std::uint32_t> site;     // where they are sent
    // By the source:
    alignas(64) Shared<std::uint32_t> sent;  // sends begun: counted before the call is forwarded
    // By the destination:
    alignas(64) Shared<std::uint32_t> received;  // receives matched
    Shared<std::uint32_t> posted;     // receives posted with exactly these arguments, and wildcards once they took one
    Shared<std::uint32_t> completed;  // of those
};
static_assert(sizeof(Channel) == 192);

// kMessage: message `ordinal` from `other` does not fit the receive: kCount (truncated) or kType.
// kUnreceived: mine_bytes messages of `other` to `rank`; kUnfinished: mine_bytes requests made at `site`.
// kUnordered: the program's call at `site` came while what it had started at `other_site` was not over; kKind: it
// overtook it. kAnnounced: `text` has the labels of both sides.
struct Finding {
    Shared<std::uint32_t> state;  // 0 free, 1 being written, 2 complete, 3 suppressed (by the monitor)
    FindingKind kind;
    Difference difference;
    std::uint32_t communicator;
    std::uint64_t ordinal;
    std::uint32_t rank;        // local index of the rank that noticed
    std::uint32_t other;       // local index of the rank it differs from, kNone
    std::uint32_t site;        // of `rank`
    std::uint32_t other_site;  // of `other`
    std::uint64_t when;        // ticks
    std::uint64_t mine_bytes;  // kCounts: bytes of the part at issue
    std::uint64_t theirs_bytes;
    Signature mine;
    Signature theirs;
    char text[256];
};

// Pairwise parts of v-collectives: the second rank compares (see parts.hpp).
inline constexpr std::uint32_t kParts = 1 << 16;
inline constexpr std::uint32_t kChannels = 1 << 15;

struct Header {
    std::uint64_t magic;
    std::uint64_t size;  // of the segment, bytes
    std::uint32_t local_ranks;
    std::uint32_t world_size;
    std::uint32_t history;             // records in each ring
    std::uint32_t communicators;       // capacity
    std::uint64_t ticks_at_start;      // one moment on both clocks
    std::uint64_t monotonic_at_start;  // ns
    std::uint64_t realtime_at_start;   // ns
    Shared<std::uint32_t> ready;       // 1 when the creator has filled the header
    Shared<std::uint32_t> alarm;       // futex: counted up when the monitor should look at once
    Shared<std::uint32_t> verdict;     // Verdict
    Shared<std::uint32_t> exit_code;
    Shared<std::uint32_t> reported;  // findings of `findings` that the monitor has dealt with
    Shared<std::uint32_t> finding_count;
    Shared<std::int32_t> monitor;          // its pid, 0 none
    Shared<std::uint64_t> monitor_beat;    // ticks of its last look
    Shared<std::uint32_t> verdict_serial;  // counted up when a finding was dealt with and did not end the job
    Shared<std::uint32_t> released;        // 1: the monitor has looked at the end of the program; ranks may leave MPI
    Shared<std::uint32_t> closing;         // 1: every local rank finalises or is gone; set by a rank
    Shared<std::uint32_t> claiming;        // lock of the table of communicators: local rank plus one
    Shared<Union> together;                // written by the monitor, or a rank that has none
    Shared<std::uint32_t> agreements;      // futex: counted up when `together` or an `agreed` has changed
    Shared<std::uint32_t> channels_overflow;
    Shared<std::uint32_t> communicators_overflow;
    Shared<std::uint32_t> sites_overflow;
    Shared<std::uint32_t> paths_overflow;
    char job[128];
    char host[64];
    char library[256];    // MPI_Get_library_version, first line
    char options[1024];   // canonical text: key=value:key=value
    char directory[256];  // rendezvous directory of the job: locks are there
    Finding findings[kFindings];
};

// Where the parts of a segment lie. Pure arithmetic, the same in every process.
struct Layout {
    std::uint32_t local_ranks, history, communicators;
    bool other_hosts = false;  // there are ranks elsewhere

    static constexpr std::size_t aligned(std::size_t n) { return (n + 4095) / 4096 * 4096; }
    constexpr std::size_t entry_size() const {
        constexpr std::size_t unit = alignof(CommunicatorEntry);  // also with an odd number of lanes
        return (sizeof(CommunicatorEntry) + local_ranks * sizeof(Lane) + unit - 1) / unit * unit;
    }
    constexpr std::size_t ranks() const { return aligned(sizeof(Header)); }
    constexpr std::size_t sites() const { return aligned(ranks() + local_ranks * sizeof(RankBlock)); }
    constexpr std::size_t paths() const { return aligned(sites() + std::size_t{local_ranks} * kSites * sizeof(Site)); }
    constexpr std::size_t records() const {
        return aligned(paths() + std::size_t{local_ranks} * kPaths * sizeof(CallPath));
    }
    constexpr std::size_t entries() const {
        return aligned(records() + std::size_t{local_ranks} * history * sizeof(Record));
    }
    constexpr std::size_t channels() const { return aligned(entries() + communicators * entry_size()); }
    constexpr std::size_t parts() const { return aligned(channels() + kChannels * sizeof(Channel)); }
    constexpr std::size_t distant_parts() const { return aligned(parts() + kParts * sizeof(std::uint64_t)); }
    constexpr std::size_t size() const {
        const std::size_t parts = other_hosts ? std::size_t{local_ranks} * history : 0;
        return aligned(distant_parts() + parts * sizeof(DistantPart));
    }
};

constexpr Layout layout_of(const Header& header) {
    return {header.local_ranks, header.history, header.communicators, header.world_size > header.local_ranks};
}

// A mapped ledger; does not own the mapping.
class Ledger {
  public:
    Ledger() = default;
    explicit Ledger(void* base) : base_(static_cast<std::byte*>(base)) {
        layout_ = layout_of(header());
        records_ = at<Record>(layout_.records());
        channels_ = at<Channel>(layout_.channels());
    }
    explicit operator bool() const { return base_ != nullptr; }
    Header& header() const { return *at<Header>(0); }
    const Layout& layout() const { return layout_; }
    RankBlock& rank(std::uint32_t local) const { return at<RankBlock>(layout_.ranks())[local]; }
    Site* sites(std::uint32_t local) const { return at<Site>(layout_.sites()) + std::size_t{local} * kSites; }
    CallPath* paths(std::uint32_t local) const { return at<CallPath>(layout_.paths()) + std::size_t{local} * kPaths; }
    // The path that a `site` of the ledger stands for; nullptr if it is a call site alone, or none.
    const CallPath* path(std::uint32_t local, std::uint32_t site) const {
        if (site < kSites || site - kSites >= kPaths || local >= layout_.local_ranks) return nullptr;
        const CallPath* const found = paths(local) + (site - kSites);
        return found->state.load(std::memory_order_acquire) == 1 ? found : nullptr;
    }
    // The call site that a `site` of the ledger stands for; nullptr if it is none.
    const Site* site(std::uint32_t local, std::uint32_t site) const {
        if (const CallPath* const found = path(local, site)) site = found->site;
        if (site >= kSites || local >= layout_.local_ranks) return nullptr;
        const Site* const at = sites(local) + site;
        return at->state.load(std::memory_order_acquire) == 1 ? at : nullptr;
    }
    Record* records(std::uint32_t local) const { return records_ + std::size_t{local} * layout_.history; }
    CommunicatorEntry& communicator(std::uint32_t place) const {
        return *at<CommunicatorEntry>(layout_.entries() + place * layout_.entry_size());
    }
    // The `index` of a communicator everywhere in the ledger: the entry's place and, above it, the count of uses of
    // that place. So a reference to a former communicator is never taken for one to the current.
    std::uint32_t index_of(std::uint32_t place) const {
        return place | communicator(place).generation.load(std::memory_order_relaxed) << kPlaceBits;
    }
    CommunicatorEntry& indexed(std::uint32_t index) const { return communicator(place_of(index)); }
    // nullptr: it is a former communicator, or none.
    CommunicatorEntry* current(std::uint32_t index) const {
        return index != kNone && index_of(place_of(index)) == index ? &indexed(index) : nullptr;
    }
    Channel* channels() const { return channels_; }
    Shared<std::uint64_t>* parts() const { return at<Shared<std::uint64_t>>(layout_.parts()); }
    // The ring of a rank, of `history` parts; only if there are other hosts.
    DistantPart* distant_parts(std::uint32_t local) const {
        return at<DistantPart>(layout_.distant_parts()) + std::size_t{local} * layout_.history;
    }

  private:
    static std::uint32_t place_of(std::uint32_t index) { return index & ((1U << kPlaceBits) - 1); }
    template <class T>
    T* at(std::size_t offset) const {
        return reinterpret_cast<T*>(base_ + offset);
    }
    std::byte* base_ = nullptr;
    Record* records_ = nullptr;
    Channel* channels_ = nullptr;
    Layout layout_{};
};

}  // namespace jaxmpi
