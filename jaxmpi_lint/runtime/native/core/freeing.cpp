#include "freeing.hpp"

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "agreement.hpp"
#include "collectives.hpp"
#include "handle_table.hpp"
#include "handlers.hpp"
#include "lifecycle.hpp"
#include "refusals.hpp"
#include "routine.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

const Routine get_handler{"PMPI_Comm_get_errhandler"}, set_handler{"PMPI_Comm_set_errhandler"},
    free_handler{"PMPI_Errhandler_free"}, comm_size{"PMPI_Comm_size"};

struct Freed {
    std::uint32_t site;
    std::string name;
};

HandleTable<Freed>& freed() {
    static auto* const table = new HandleTable<Freed>(HandleTable<Freed>::Changes::kUncounted);
    return *table;
}
std::atomic<bool> any_freed{false};

// A use of MPI_COMM_NULL that ended in an error which the program has not shown to survive yet.
struct Pending {
    std::mutex mutex;
    std::optional<std::pair<std::uint32_t, std::string>> use;
};
Pending& pending() {
    static auto* const one = new Pending;
    return *one;
}

// The error handler of a communicator, for as long as this lives.
class HandlerOf {
  public:
    explicit HandlerOf(Word comm) { known_ = get_handler(comm, cell_.address()) == 0; }
    ~HandlerOf() {
        if (known_) free_handler(cell_.address());
    }
    HandlerOf(const HandlerOf&) = delete;
    HandlerOf& operator=(const HandlerOf&) = delete;
    bool is_fatal() const { return known_ && is_fatal_handler(cell_.value()); }
    void restore(Word comm) const {
        if (known_) set_handler(comm, cell_.value());
    }

  private:
    HandleCell cell_;
    bool known_ = false;
};

bool errors_end_the_process() {
    return HandlerOf(process().comm_self).is_fatal() && HandlerOf(process().comm_world).is_fatal();
}

// Open MPI's handles are addresses, and it would read what was freed there. Its table for Fortran has all that live.
bool in_fortran_table(Word handle) {
    static const Routine from_fortran{"PMPI_Comm_f2c"};
    constexpr std::int32_t kMost = 1 << 16;
    for (std::int32_t i = 0; i < kMost; ++i)
        if (from_fortran.answer(i) == handle) return true;
    return false;
}

// Whether the library takes the handle for a communicator: another may have been made there unseen. With MPICH the
// error handlers of the process are replaced for the moment of one call, of a program that uses a freed handle: a fatal
// error of a different thread in that moment returns to it.
bool library_knows(Word handle) {
    if (symbol("ompi_mpi_comm_world") != nullptr) return in_fortran_table(handle);
    const Word self = process().comm_self, world = process().comm_world;
    const HandlerOf before_self(self), before_world(world);
    const Word returning = process().errors_return;
    if (set_handler(self, returning) != 0 || set_handler(world, returning) != 0) return true;
    int size = 0;
    const bool knows = comm_size(handle, &size) == 0 && size > 0;
    before_self.restore(self);
    before_world.restore(world);
    return knows;
}

std::string where(std::uint32_t site) {
    const Site* const at = process().ledger.site(process().local, site);
    if (at == nullptr) return "";
    if (at->address != 0) return " at <site " + std::to_string(site) + ">";  // only the reader knows lines of it
    const char* const slash = std::strrchr(at->file, '/');
    return std::string(" at ") + (slash == nullptr ? at->file : slash + 1) + ":" + std::to_string(at->line);
}

void fill(Finding& finding, FindingKind kind, std::uint32_t site, const std::string& text) {
    finding.kind = kind;
    finding.difference = Difference::kNothing;
    finding.communicator = kNone;
    finding.rank = process().local;
    finding.other = kNone;
    finding.site = site;
    finding.other_site = kNone;
    finding.when = ticks();
    std::snprintf(finding.text, sizeof finding.text, "%s", text.c_str());
}

std::string null_use(const char* name) {
    return std::string(name) + " on MPI_COMM_NULL: the communicator was freed before, or this rank was never a member";
}

std::string freed_use(const char* name, const Freed& before) {
    return std::string(name) + " on " + before.name + ", which was freed" + where(before.site);
}

Decision report_use(std::uint32_t site, const std::string& text) {
    Finding finding{};
    fill(finding, FindingKind::kUseAfterFree, site, text);
    return report_and_hold(finding);
}

// Communicators that were never freed, by the line that made them. One that lives as long as the program is no leak;
// a line that makes more and more of them is.
class Leaks {
  public:
    void add(const Communicator& one) {
        if (one.predefined || one.is_private || one.site == kNone || one.entry == nullptr) return;
        if (one.entry->kind != CommunicatorKind::kIntra && one.entry->kind != CommunicatorKind::kInter) return;
        auto [at, is_new] = by_site_.try_emplace(one.site, Made{&one, 0});
        ++at->second.count;
    }
    void report_all() const {
        for (const auto& [site, made] : by_site_) {
            if (made.count < 2) continue;
            Finding finding{};
            fill(finding, FindingKind::kLeak, site,
                 std::to_string(made.count) + " communicators created here by " + made.first->how + " are never freed");
            finding.communicator = made.first->index;
            report(finding);
        }
    }

  private:
    struct Made {
        const Communicator* first;
        std::size_t count;
    };
    std::map<std::uint32_t, Made> by_site_;
};

// With `strict`: the monitors of other hosts may not see any more what was entered on a communicator that is gone here.
void await_agreements(const Call& call, const Communicator& comm, std::uint32_t site) {
    if (!comm.compared() || !comm.spans_hosts()) return;
    const std::uint64_t count = comm.lane->count.load(std::memory_order_relaxed);
    if (count == 0 || is_agreed({comm.index, count - 1})) return;
    const Blocked blocked(this_thread(), call.function, site, [&](StateWriter& state) {
        state->communicator = comm.index;
        state->wait_count = 1;
        state->waits[0] = Wait{
            WaitKind::kCollective, 1, static_cast<std::uint8_t>(Flow::kAll), 0, kNobody, kAny, comm.index, count - 1};
    });
    await_agreement({comm.index, count - 1});
}

}  // namespace

void note_use(Word handle, const char* name) {
    if (!any_freed.load(std::memory_order_relaxed)) return;
    const Freed* const before = freed().find(handle);
    if (before == nullptr && handle != process().comm_null) return;
    const std::lock_guard lock(pending().mutex);
    pending().use.emplace(call_site(), before != nullptr ? freed_use(name, *before) : null_use(name));
}

bool was_freed(Word handle) { return freed().find(handle) != nullptr; }
void is_alive_again(Word handle) {
    if (any_freed.load(std::memory_order_relaxed)) freed().erase(handle);
}

Word on_unknown_communicator(const Call& call, Word handle) {
    const Freed* const before = freed().find(handle);
    const bool null = handle == process().comm_null;
    if (before == nullptr && !(null && any_freed.load(std::memory_order_relaxed))) return call.forward();
    const std::uint32_t site = call_site();
    if (null) {
        const std::string text = null_use(call.info.name);
        if (errors_end_the_process() && report_use(site, text) == Decision::kRaise) return error_code();
        const Word result = call.forward();
        const std::lock_guard lock(pending().mutex);
        if (integer(result) != 0) pending().use.emplace(site, text);
        return result;
    }
    if (library_knows(handle)) {
        is_alive_again(handle);
        return call.forward();
    }
    return report_use(site, freed_use(call.info.name, *before)) == Decision::kRaise ? error_code() : call.forward();
}

void report_fatal_use(std::string_view traceback) {
    const bool about_one =
        traceback.find("ERR_COMM") != traceback.npos || traceback.find("ommunicator") != traceback.npos;
    if (!about_one || process().phase.load(std::memory_order_relaxed) != Phase::kActive) return;
    std::optional<std::pair<std::uint32_t, std::string>> use;
    {
        const std::lock_guard lock(pending().mutex);
        use.swap(pending().use);
    }
    if (use) report_use(use->first, use->second);
}

void report_stale_use(const std::string& operation, const Communicator& now) {
    report_use(
        call_site(),
        operation +
            " was compiled for a communicator that has been freed; its handle now refers to the one created by " +
            now.how + where(now.site));
}

void watch_leaks() {
    at_end([] {
        Leaks leaks;
        each_communicator([&leaks](const Communicator& one) { leaks.add(one); });
        leaks.report_all();
    });
}

Word on_free_communicator(const Call& call) {
    const Word at = call[Role::kComm];
    if (at == 0) return call.forward();
    const Word handle = load_handle(reinterpret_cast<const void*>(at));
    const Communicator* const one = communicator(handle);
    if (one == nullptr) return on_unknown_communicator(call, handle);
    ThreadContext& thread = this_thread();
    const std::uint32_t site = call_site();
    std::string name = "the communicator created by " + std::string(one->how) + where(one->site);
    Recording record(thread, call.function);
    record->communicator = one->index;
    record->ordinal = 0;
    record->site = site;
    record->signature = Signature{};
    record.publish();
    if (process().options.strict) [[unlikely]]
        await_agreements(call, *one, site);
    // Marked before: as soon as the library has let go of the handle another thread may be given it.
    freed().insert(handle, std::make_unique<Freed>(Freed{site, std::move(name)}));
    any_freed.store(true, std::memory_order_relaxed);
    Word result;
    if (call.function == Function::kCommDisconnect) {
        const Blocked blocked(thread, call.function, site, [&](StateWriter& state) {
            state->communicator = one->index;
            state->wait_count = 1;
            state->waits[0] = Wait{WaitKind::kUnknown, 0, 0, 0, kNobody, kAny, one->index, 0};
        });
        result = call.forward();
    } else {
        result = call.forward();
    }
    record.leave(result);
    if (integer(result) == 0)
        forget(handle, one);
    else
        freed().erase(handle);
    return result;
}

}  // namespace jaxmpi
