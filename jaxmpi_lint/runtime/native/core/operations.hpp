// Operations of mpi4jax: each says when it is compiled what it is and where it was written, and names itself when it
// runs, on whichever thread that is.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core.hpp"

namespace jaxmpi {

struct ThreadContext;

// A line on the way from the operation outwards to the program.
struct Place {
    std::string file, function;
    std::uint32_t line;
};

// One end of a message; `tag` and `peer` as MPI has them.
struct End {
    bool there = false;
    std::int32_t peer = 0, tag = 0;
};

// What is fixed when the operation is compiled.
struct Operation {
    std::string name;            // as in labels.hpp
    std::vector<Place> places;   // the innermost first, up to the first line of the program
    std::vector<Place> callers;  // lines of the program from which that one was reached, the innermost first
    std::size_t traced = 0;      // so many of the callers are lines of the compiled function
    bool is_traced = false;      // and so is the innermost line of the program itself
    std::string operand;         // "float32[4,8]"
    Word comm = 0;
    std::uint64_t communicator = 0;  // its id then, 0 unknown
    End sends, receives;             // neither: a collective
    // What MPI will be given, by the names of its parameters; as far as known.
    std::map<std::string, std::int64_t> arguments;
};

inline constexpr std::uint32_t kManyLaunches = kNone - 1;

// An operation with its life in this process.
struct KnownOperation {
    Operation what;
    std::uint32_t label = 0;
    std::atomic<std::uint32_t> site{kNone};
    std::once_flag written;
    // Where the program started it; kNone: nowhere, kManyLaunches: in different places, and the first may not have
    // ended.
    std::atomic<std::uint32_t> launched_at{kNone};
    std::atomic<const ThreadContext*> launched_by{nullptr};
    std::atomic<std::uint32_t> compiled{0};  // times
    std::atomic<std::uint32_t> running{0};   // threads that carry it out just now
    // Since it was last started: whether it has begun to run, and whether the program has made a call that meets it.
    std::atomic<bool> begun{false}, met{false};
    // The next time that it begins it is the first of what was announced.
    std::atomic<bool> leads{false};

    bool is_collective() const { return !what.sends.there && !what.receives.there; }
    // `alone`: the thread has started nothing else that may still run.
    void launch(const ThreadContext& by, bool alone);
    std::uint32_t own_site();                        // in the ledger, written on first use
    std::uint32_t site_of(const ThreadContext& by);  // the same, as it is reached this time
};

// Keeps it under `key`, which the operation carries in the compiled program; the same key means the same operation.
// Answers how often it has been compiled by now.
JAXMPI_EXPORT std::uint32_t know_operation(std::uint64_t key, Operation what);

// What is wrong with an operation and seen when it is compiled.
JAXMPI_EXPORT void report_recompiled(std::uint64_t key);
JAXMPI_EXPORT void report_device_memory(std::uint64_t key);  // ends the job, unless the options say otherwise

// nullptr: not registered.
KnownOperation* operation(std::uint64_t key);

// The id of the communicator behind a handle, 0 unknown.
JAXMPI_EXPORT std::uint64_t communicator_id(std::int64_t handle);

// While this lives the MPI calls of the thread are those of the operation `key`.
class JAXMPI_EXPORT InOperation {
  public:
    explicit InOperation(std::uint64_t key);
    ~InOperation();
    InOperation(const InOperation&) = delete;
    InOperation& operator=(const InOperation&) = delete;

  private:
    ThreadContext& thread_;
    KnownOperation* known_ = nullptr;
    std::uint32_t label_, site_;  // before
    KnownOperation* before_;
};

}  // namespace jaxmpi
