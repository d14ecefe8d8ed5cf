#include "lifecycle.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "closing.hpp"
#include "communicators.hpp"
#include "farewell.hpp"
#include "findings.hpp"
#include "handlers.hpp"
#include "hashing.hpp"
#include "hosts.hpp"
#include "identity.hpp"
#include "leftovers.hpp"
#include "monitor.hpp"
#include "output.hpp"
#include "refusals.hpp"
#include "rendezvous.hpp"
#include "service.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

constexpr const char* kUnchecked = "one-sided accesses, file contents, values";
constexpr const char* kUnseenStart =
    "MPI was initialised by a call that the sanitizer does not see: through PMPI_Init, by a profiling library or by a "
    "part of MPI that is linked statically into the program; link MPI dynamically, and without the profiling library";

std::array<void (*)(), 8> scans{};

template <class... Arguments>
std::int32_t ask(const char* name, Arguments... arguments) {
    using Asked = Word (*)(decltype(Word{arguments})...);
    const auto function = reinterpret_cast<Asked>(symbol(name));
    return function == nullptr ? -1 : static_cast<std::int32_t>(function(arguments...));
}

template <class T>
Word address(T& variable) {
    return reinterpret_cast<Word>(&variable);
}

// "Open MPI 5.0.11" of "Open MPI v5.0.11, package: ...", "MPICH 5.0.2" of "MPICH Version:      5.0.2\n...".
std::string library_name() {
    std::string text(std::size_t{1} << 14, '\0');
    std::int32_t length = 0;
    if (ask("PMPI_Get_library_version", reinterpret_cast<Word>(text.data()), address(length)) != 0)
        return "an unknown MPI";
    text.resize(std::strlen(text.c_str()));
    text.resize(std::min(text.find_first_of(",\n"), text.size()));
    for (const std::string_view noise : {" Version:", " v"})
        if (const std::size_t at = text.find(noise); at != std::string::npos)
            std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), noise.size(), ' ');
    std::string tidy;
    for (const char c : text)
        if (c > ' ' || (c == ' ' && !tidy.empty() && tidy.back() != ' ')) tidy += c;
    return tidy;
}

int do_not_copy(Word, int, void*, void*, void*, int* flag) {
    *flag = 0;
    return 0;
}

int scan_now(Word, int, void*, void*) {
    if (process().process != own_process()) return 0;
    for (void (*scan)() : scans)
        if (scan != nullptr) scan();
    return 0;
}

// MPI_Finalize deletes the attributes of MPI_COMM_SELF first of all, the one set last first: ours comes after those of
// all libraries.
void prepare_end() {
    std::int32_t key = 0;
    if (ask("PMPI_Comm_create_keyval", reinterpret_cast<Word>(&do_not_copy), reinterpret_cast<Word>(&scan_now),
            address(key), Word{0}) == 0)
        ask("PMPI_Comm_set_attr", process().comm_self, static_cast<Word>(key), Word{0});
}

// Why the ranks of this job cannot be distinguished from those of another one; "" if they can.
std::string misfit() {
    const Launched said = launched();
    const std::int32_t size = process().world_size;
    if (size == 1 && said.total > 1)
        return std::string(said.by) + " started " + std::to_string(said.total) +
               " processes, but the MPI library sees only one: it belongs to a different mpirun";
    if (size > 1 && std::getenv("PMI_SPAWNED") != nullptr && std::getenv("PMIX_NAMESPACE") == nullptr)
        return "Hydra does not distinguish the processes of different calls of MPI_Comm_spawn";
    return "";
}

bool has_other_hosts() {
    return static_cast<std::int32_t>(process().ledger.layout().local_ranks) < process().world_size;
}

// The monitor says it where it first has to meet those of other hosts.
void announce(const std::string& library) {
    const Process& p = process();
    const auto here = p.ledger.layout().local_ranks;
    const std::string line = "checking " + std::to_string(here) + (here == 1 ? " rank" : " ranks") + " of " + library +
                             " on " + p.ledger.header().host;
    const std::string missing = p.options.unchecked.empty() ? kUnchecked : p.options.unchecked + ", " + kUnchecked;
    if (!has_other_hosts()) return say((line + "; not checked: " + missing).c_str());
    if (p.ledger.header().monitor.load() > 0) return introduce_host(missing);
    say((line + "; not checked: agreement with the ranks on other hosts (no monitor), " + missing).c_str());
}

bool has_interpreter() {
    const auto ask = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "Py_IsInitialized"));
    return ask != nullptr && ask() != 0;
}

void attach(Met& met) {
    Process& p = process();
    p.ledger = Ledger(met.ledger.base());
    met.ledger.keep();
    p.local = met.local;
    RankBlock& block = p.ledger.rank(p.local);
    block.process = p.process;
    block.process_started = started(p.process);
    block.exit_status.store(0, std::memory_order_relaxed);
    block.python.store(has_interpreter() ? 1 : 0, std::memory_order_relaxed);
    p.block = &block;
}

void begin() {
    Process& p = process();
    (void)report_descriptor();
    if (p.abi == nullptr || p.abi->name == nullptr || ask("PMPI_Comm_rank", p.comm_world, address(p.world_rank)) != 0 ||
        ask("PMPI_Comm_size", p.comm_world, address(p.world_size)) != 0)
        return go_passive("this MPI library does not respond as expected");
    if (const std::string why = misfit(); !why.empty()) {
        p.phase.store(Phase::kPassive);
        if (launched().rank <= 0) say(("NOT CHECKING: " + why).c_str());
        return;
    }
    const std::string library = library_name() + " (" + p.abi->name + ")";
    Met met = meet(library);
    watch_exit();
    if (!met.refusal.empty()) {
        p.phase.store(Phase::kPassive);
        if (met.speaks) say(("NOT CHECKING: " + met.refusal).c_str());
        return;
    }
    attach(met);
    adopt_predefined();
    watch_refusals();
    at_end(report_leftovers);
    prepare_end();
    start_service();
    if (p.local == 0) start_monitor(met.segment);
    if (p.local == 0 && (p.world_size > 1 || launched().total > 0)) announce(library);  // alone, it has no counterpart
    p.phase.store(Phase::kActive, std::memory_order_release);
}

}  // namespace

void at_end(void (*scan)()) {
    for (auto& place : scans) {
        if (place == scan) return;
        if (place == nullptr) {
            place = scan;
            return;
        }
    }
}

void go_passive(const std::string& why) {
    process().phase.store(Phase::kPassive);
    if (launched().rank <= 0) say(("NOT CHECKING: " + why).c_str());
}

void watch_start() {
    std::atexit([] {
        std::int32_t flag = 0;
        if (process().phase.load() != Phase::kLoaded || process().process != own_process()) return;
        if (ask("PMPI_Initialized", address(flag)) == 0 && flag != 0) go_passive(kUnseenStart);
    });
}

Word on_initialise(const Call& call) {
    const Word result = call.forward();
    if (process().phase.load() == Phase::kLoaded && integer(result) == 0) begin();
    return result;
}

Word on_finalise(const Call& call) {
    if (process().phase.load() != Phase::kActive) return call.forward();
    RankBlock& block = *process().block;
    stop_watching_refusals();
    hold_finalise(call);
    withdraw_host();
    const Word result = call.forward();
    process().phase.store(Phase::kFinalized);
    block.state.store(RankState::kFinalized, std::memory_order_release);
    ring_alarm();
    if (!process().options.fail_on.empty()) await_judgement();
    return result;
}

Word on_abort(const Call& call) {
    if (process().phase.load() == Phase::kActive) {
        RankBlock& block = *process().block;
        const std::uint32_t site = call_site();
        Recording record(call.thread, call.function);
        record->site = site;
        record->signature = Signature{};
        record.publish();
        if (call.thread.block != nullptr) {
            StateWriter state(*call.thread.block);
            state->function = static_cast<std::uint16_t>(call.function);
            state->site = site;
            state->entered = ticks();
            state->activity.store(Activity::kInCall, std::memory_order_relaxed);
        }
        block.exit_status.store(integer(call[Role::kErrorcode]), std::memory_order_relaxed);
        block.state.store(RankState::kAborted, std::memory_order_release);
        ring_alarm();
        const std::string code = std::to_string(integer(call[Role::kErrorcode]));
        say((where(process().local, site) + " called Abort(" + code + ")").c_str());
        process().phase.store(Phase::kPassive);  // MPICH returns from it: what follows is not the program's doing
        await_release();
    }
    return call.forward();
}

Word on_session(const Call& call) {
    static std::atomic<bool> told{false};
    if (process().phase.load() != Phase::kOff && !told.exchange(true) && launched().rank <= 0)
        say("the program uses MPI sessions: communicators from them are recorded on each rank, not compared");
    return call.forward();
}

}  // namespace jaxmpi
