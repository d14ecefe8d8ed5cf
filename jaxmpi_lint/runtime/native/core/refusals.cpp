#include "refusals.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>

#include "findings.hpp"
#include "handlers.hpp"
#include "per_thread.hpp"
#include "routine.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

// What has an error handler: communicators, or windows.
struct Kind {
    Routine create, get, set, raise;
    std::atomic<Word> stand_in{0};        // its error handler, 0: there is none
    std::atomic<std::uint32_t> given{0};  // references to it that the program has, as to the predefined one
};

struct Refusal {
    Kind* kind = nullptr;
    Word object = 0;
    std::int32_t code = 0;
};

std::atomic<bool> watching{false};

Kind& communicators() {
    static Kind kind{Routine{"PMPI_Comm_create_errhandler"}, Routine{"PMPI_Comm_get_errhandler"},
                     Routine{"PMPI_Comm_set_errhandler"}, Routine{"PMPI_Comm_call_errhandler"}};
    return kind;
}

Kind& windows() {
    static Kind kind{Routine{"PMPI_Win_create_errhandler"}, Routine{"PMPI_Win_get_errhandler"},
                     Routine{"PMPI_Win_set_errhandler"}, Routine{"PMPI_Win_call_errhandler"}};
    return kind;
}

void release(HandleCell& handler) {
    static const Routine free_handler{"PMPI_Errhandler_free"};
    free_handler(handler.address());
}

void replace(Kind& kind, Word object, Word before, Word after) {
    HandleCell now;
    if (kind.get(object, now.address()) != 0) return;
    if (now.value() == before) kind.set(object, after);
    release(now);
}

// What MPI says of an error: of several lines the last, which names the argument and its value.
std::string words(std::int32_t code) {
    static const Routine error_string{"PMPI_Error_string"};
    std::string text(std::size_t{1} << 12, '\0');  // longer than MPI_MAX_ERROR_STRING of any library
    std::int32_t length = 0;
    if (error_string(code, text.data(), &length) != 0) return "error " + std::to_string(code);
    text.resize(text.find('\0'));
    while (!text.empty() && text.back() <= ' ') text.pop_back();
    const std::size_t line = text.rfind('\n');
    return line == std::string::npos ? text : text.substr(line + 1);
}

void end_by_mpi(const Refusal& refusal) {
    static const Routine abort{"PMPI_Abort"};
    refusal.kind->set(refusal.object, process().errors_are_fatal);
    refusal.kind->raise(refusal.object, refusal.code);
    abort(process().comm_world, refusal.code);
}

void report(const Refusal& refusal, const char* function, std::uint32_t site) {
    Finding finding{};
    finding.kind = FindingKind::kRefused;
    finding.difference = Difference::kNothing;
    finding.communicator = kNone;
    finding.rank = process().local;
    finding.other = kNone;
    finding.site = site;
    finding.other_site = kNone;
    finding.when = ticks();
    std::snprintf(finding.text, sizeof finding.text, "%s: %s", function, words(refusal.code).c_str());
    (void)report_and_hold(finding);
    end_by_mpi(refusal);
}

void refuse(Kind& kind, Word object, std::int32_t code, const Caller& caller) {
    ThreadContext& thread = this_thread();
    const Refusal refusal{&kind, object, code};
    const bool active = process().phase.load(std::memory_order_relaxed) == Phase::kActive;
    if (!active || !watching.load(std::memory_order_relaxed) || thread.paused != 0 ||
        process().process != own_process())
        return end_by_mpi(refusal);
    if (thread.depth == 0) {  // of a function without an interposer
        const Inside inside(thread);
        thread.caller = caller;
        return report(refusal, "a call", call_site());
    }
    per_thread<Refusal>() = refusal;
    thread.refused = true;
}

template <Kind& (*kind)()>
void stand_in(const void* object, const std::int32_t* code, ...) {
    refuse(kind(), load_handle(object), *code, JAXMPI_CALLER);
}

template <Kind& (*kind)()>
void create() {
    HandleCell made;
    if (kind().create(reinterpret_cast<Word>(&stand_in<kind>), made.address()) == 0)
        kind().stand_in.store(made.value(), std::memory_order_release);
}

Word set_handler(const Call& call, const Kind& kind) {
    const Word stand_in = kind.stand_in.load(std::memory_order_relaxed);
    Word& handler = call.arguments[1];
    if (stand_in != 0 && handle(handler) == process().errors_are_fatal) handler = stand_in;
    return call.forward();
}

// The program is given the handler that it has set, and owns a reference to the stand-in until it frees that.
Word get_handler(const Call& call, Kind& kind) {
    const Word result = call.forward();
    const Word stand_in = kind.stand_in.load(std::memory_order_relaxed), at = call.arguments[1];
    if (integer(result) != 0 || at == 0 || stand_in == 0 || load_handle(reinterpret_cast<const void*>(at)) != stand_in)
        return result;
    kind.given.fetch_add(1, std::memory_order_relaxed);
    store_handle_at(at, 0, process().errors_are_fatal);
    return result;
}

bool take_back(Kind& kind, HandleCell& reference) {
    std::uint32_t given = kind.given.load(std::memory_order_relaxed);
    while (given > 0 && !kind.given.compare_exchange_weak(given, given - 1, std::memory_order_relaxed)) {
    }
    reference.raw = kind.stand_in.load(std::memory_order_relaxed);
    return given > 0 && reference.raw != 0;
}

// Open MPI refuses to free a predefined handler of which the program owns no reference.
Word free_handler(const Call& call) {
    const Word at = call.arguments[0];
    HandleCell reference;
    if (at == 0 || load_handle(reinterpret_cast<const void*>(at)) != process().errors_are_fatal ||
        !(take_back(communicators(), reference) || take_back(windows(), reference)))
        return call.forward();
    release(reference);
    store_handle_at(at, 0, reference.value());  // MPI_ERRHANDLER_NULL
    return 0;
}

}  // namespace

void watch_refusals() {
    create<communicators>();
    create<windows>();
    watching.store(true, std::memory_order_release);
    const Word stand_in = communicators().stand_in.load();
    if (stand_in == 0) return;
    for (const Word comm : {process().comm_world, process().comm_self})
        replace(communicators(), comm, process().errors_are_fatal, stand_in);
}

void stop_watching_refusals() {
    if (!watching.exchange(false)) return;
    for (Kind* const kind : {&communicators(), &windows()}) {
        HandleCell stand_in{kind->stand_in.exchange(0)};
        if (stand_in.raw == 0) continue;
        if (kind == &communicators())
            for (const Word comm : {process().comm_world, process().comm_self})
                replace(*kind, comm, stand_in.value(), process().errors_are_fatal);
        release(stand_in);
    }
}

void watch_refusals_of_window(Word window) {
    if (const Word stand_in = windows().stand_in.load())
        replace(windows(), window, process().errors_are_fatal, stand_in);
}

bool is_fatal_handler(Word handler) {
    const Word stand_in = communicators().stand_in.load();
    return handler == process().errors_are_fatal || (stand_in != 0 && handler == stand_in);
}

Word Call::outcome() const {
    const Word result = forward();
    return thread.refused && integer(result) == 0 ? static_cast<Word>(per_thread<Refusal>().code) : result;
}

void report_refusal(const Call& call) {
    call.thread.refused = false;
    report(per_thread<Refusal>(), call.info.name, call_site());
}

Word on_error_handler(const Call& call) {
    switch (call.function) {
        case Function::kCommSetErrhandler:
        case Function::kErrhandlerSet:
            return set_handler(call, communicators());
        case Function::kWinSetErrhandler:
            return set_handler(call, windows());
        case Function::kWinGetErrhandler:
            return get_handler(call, windows());
        case Function::kErrhandlerFree:
            return free_handler(call);
        default:
            return get_handler(call, communicators());
    }
}

}  // namespace jaxmpi
