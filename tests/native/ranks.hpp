// Threads that stand for ranks: each has a process() of its own, and all have one ledger. For one source file only.
#pragma once

#include <algorithm>
#include <barrier>
#include <functional>
#include <mutex>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "communicators.hpp"
#include "entries.hpp"
#include "findings.hpp"
#include "ledger_memory.hpp"
#include "thread.hpp"

namespace jaxmpi {

Process& process() {
    static thread_local Process own;
    return own;
}

std::uint32_t Process::local_of_world(std::int32_t world) const {
    for (std::uint32_t one = 0; one < ledger.layout().local_ranks; ++one)
        if (ledger.rank(one).world_rank == world) return one;
    return kNone;
}

}  // namespace jaxmpi

namespace ranks {

using namespace jaxmpi;

inline constexpr Abi kAbi{.name = "pretended",
                          .handle_size = 8,
                          .status_size = 24,
                          .status_source = 0,
                          .status_tag = 4,
                          .status_error = 8,
                          .any_source = -1,
                          .proc_null = -2,
                          .root = -3,
                          .any_tag = -1,
                          .undefined = -4,
                          .in_place = 1,
                          .status_ignore = 3,
                          .statuses_ignore = 3,
                          .error_argument = 13,
                          .error_truncate = 15,
                          .error_other = 16,
                          .combiners = {}};

// What the ranks said and noticed.
struct Noticed {
    FindingKind kind;
    Difference difference;
    std::uint64_t ordinal;
    std::uint32_t rank, other;
    Signature mine, theirs;
};
inline std::mutex telling;
inline std::vector<Noticed> noticed;
inline std::vector<std::string> lines;
inline Decision decision = Decision::kForward;

inline void forget_all() {
    noticed.clear();
    lines.clear();
    decision = Decision::kForward;
}

// What one rank knows besides process().
struct Rank {
    std::int32_t number;
    std::barrier<>& together;
    ThreadContext& thread;

    void wait() const { together.arrive_and_wait(); }
};

// The ranks of a job on this host: all of them, or `size` of `world` from `first` on. Each run() is a thread for each.
class Job {
  public:
    explicit Job(std::int32_t size, std::uint32_t history = 64, std::uint32_t communicators = 8, std::int32_t first = 0,
                 std::int32_t world = 0)
        : size_(size),
          first_(first),
          world_(std::max(size, world)),
          memory_(static_cast<std::uint32_t>(size), history, communicators, static_cast<std::uint32_t>(world_)) {
        for (std::int32_t rank = 0; rank < size; ++rank)
            ledger().rank(static_cast<std::uint32_t>(rank)).world_rank = first + rank;
    }

    Ledger ledger() const { return memory_.ledger(); }
    std::int32_t size() const { return size_; }
    std::vector<std::int32_t> everybody() const {
        std::vector<std::int32_t> all(static_cast<std::size_t>(world_));
        std::iota(all.begin(), all.end(), 0);
        return all;
    }

    void run(const std::function<void(Rank&)>& program) const {
        std::barrier<> together(size_);
        std::vector<std::thread> threads;
        for (std::int32_t number = 0; number < size_; ++number)
            threads.emplace_back([&, number] {
                adopt_process(number);
                ThreadContext thread;
                thread.slot = 0;
                thread.block = &process().block->threads[0];
                Rank rank{number, together, thread};
                program(rank);
            });
        for (std::thread& one : threads) one.join();
    }

  private:
    void adopt_process(std::int32_t number) const {
        Process& self = process();
        self.ledger = ledger();
        self.abi = &kAbi;
        self.world_rank = first_ + number;
        self.world_size = world_;
        self.local = static_cast<std::uint32_t>(number);
        self.block = &self.ledger.rank(self.local);
    }

    std::int32_t size_, first_, world_;
    LedgerMemory memory_;
};

// The calling rank's side of a communicator of these ranks; `remote`: the other group of an intercommunicator.
inline Communicator join(std::uint64_t id, std::vector<std::int32_t> members, std::vector<std::int32_t> remote = {}) {
    Communicator one{};
    one.id = id;
    one.inter = !remote.empty();
    one.world = std::move(members);
    one.remote = std::move(remote);
    one.size = static_cast<std::int32_t>(one.world.size());
    one.everybody = one.size + static_cast<std::int32_t>(one.remote.size());
    one.checked = true;
    const auto own = std::ranges::find(one.world, process().world_rank);
    one.rank = static_cast<std::int32_t>(own - one.world.begin());
    one.index = join_entry({.id = id,
                            .kind = one.inter ? CommunicatorKind::kInter : CommunicatorKind::kIntra,
                            .name = "tested",
                            .rank = one.rank,
                            .members = &one.world,
                            .remote = one.inter ? &one.remote : nullptr},
                           kNone);
    if (one.index == kNone) return one;
    one.entry = &process().ledger.indexed(one.index);
    one.lane = one.entry->lanes() + process().local;
    one.searched.resize(process().ledger.layout().local_ranks);
    for (std::uint32_t local = 0; local < process().ledger.layout().local_ranks; ++local) {
        if ((one.entry->members[local / 64] >> local % 64 & 1) == 0) continue;
        if (local == process().local) one.place = one.members_here;
        ++one.members_here;
    }
    return one;
}

}  // namespace ranks

namespace jaxmpi {

// An error code is its own class.
void* symbol(const char* name) {
    using ErrorClass = int (*)(int, int*);
    const ErrorClass error_class = [](int code, int* kind) {
        *kind = code;
        return 0;
    };
    return std::string_view(name) == "PMPI_Error_class" ? reinterpret_cast<void*>(error_class) : nullptr;
}

Decision report_and_hold(const Finding& what) {
    const std::lock_guard hold(ranks::telling);
    ranks::noticed.push_back({what.kind, what.difference, what.ordinal, what.rank, what.other, what.mine, what.theirs});
    return ranks::decision;
}

void report(const Finding& what) { (void)report_and_hold(what); }

void say(const char* line) {
    const std::lock_guard hold(ranks::telling);
    ranks::lines.emplace_back(line);
}

}  // namespace jaxmpi
