// What a rank process knows of itself. One instance, in the core library, shared by all interposers.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "core_options.hpp"
#include "export.hpp"
#include "functions.hpp"
#include "ledger.hpp"

namespace jaxmpi {

using Word = std::uintptr_t;  // every argument of every MPI function fits a register

// Where an MPI function was called from.
struct Caller {
    std::uintptr_t address;  // it returns to this instruction
    const void* frame;       // the end of its stack frame, below which `address` is stored; nullptr: unknown
};

// The options of the core, and what else it is given when it is switched on.
struct Options : CoreOptions {
    bool strict = false;
    std::string monitor;    // command line of the monitor, words separated by \x1f; empty: none is started
    std::string text;       // the canonical text itself, for the ledger
    std::string unchecked;  // what the Python side knows not to be checked, for the first line; "" nothing
};

// What MPI_Type_get_envelope says of how a datatype was made; -1: there is no such.
struct Combiners {
    std::int32_t named, structure, structure_integer, real, complex, integer, pair;
};

// Constants and shapes of one MPI ABI. The three instances are in abi.cpp.
struct Abi {
    const char* name;
    std::uint8_t handle_size;  // bytes of a handle in arrays and out-parameters: 8 or 4
    std::uint8_t status_size;
    std::uint8_t status_source, status_tag, status_error;  // byte offsets in MPI_Status
    std::int32_t any_source, proc_null, root, any_tag, undefined;
    Word in_place, status_ignore, statuses_ignore;
    // Classes of errors; those from MPI_ERR_BUFFER (1) to MPI_ERR_ARG are the caller's own.
    std::int32_t error_argument, error_truncate, error_other;
    Combiners combiners;
    bool probes_self = false;  // a probe on MPI_COMM_SELF makes progress, see progress.cpp
};

// Where the process stands. Handlers run only in kActive; before and after, calls go straight through.
enum class Phase : std::uint32_t {
    kOff,      // not switched on, or given up: nothing is recorded
    kLoaded,   // in place, MPI_Init has not been seen
    kPassive,  // after MPI_Init, but not checking (said once why)
    kActive,
    kFinalized,
};

// What every call looks at comes first, side by side.
struct alignas(64) Process {
    std::atomic<Phase> phase{Phase::kOff};
    std::int32_t process = 0;              // pid: a forked child differs and is inert
    std::atomic<std::int32_t> running{0};  // pid of the calling process, see own_process
    std::uint32_t local = kNone;           // own index among the local ranks
    const Abi* abi = nullptr;
    RankBlock* block = nullptr;
    Ledger ledger;
    Options options;
    void* library = nullptr;    // dlopen handle of libmpi
    int report_descriptor = 2;  // own copy of standard error as it was at switching on (close-on-exec)
    std::int32_t world_rank = -1;
    std::int32_t world_size = 0;
    std::uint32_t local_of_world(std::int32_t world) const;  // kNone: on another host or unknown

    // Handles that are needed all the time, in this ABI's representation; filled when libmpi is known (abi.cpp).
    Word comm_world = 0, comm_self = 0, comm_null = 0, request_null = 0, datatype_null = 0, op_null = 0, group_null = 0,
         win_null = 0, message_null = 0, message_no_proc = 0, file_null = 0, info_null = 0, errors_are_fatal = 0,
         errors_return = 0, byte = 0;
};

// Ready before the first constructor and after the last destructor: MPI is called until the very end.
union LastingProcess {
    Process value;
    constexpr LastingProcess() : value() {}
    ~LastingProcess() {}
};
#if defined(JAXMPI_CORE)  // inside the library its address is known; code outside calls a function
__attribute__((visibility("hidden"))) extern LastingProcess lasting_process;
[[gnu::used]] JAXMPI_EXPORT inline Process& process() { return lasting_process.value; }
#else
JAXMPI_EXPORT Process& process();
#endif

// The PMPI_ function below, nullptr if this MPI lacks it.
JAXMPI_EXPORT void* real(Function function);
// Any other function of libmpi by name (PMPI_Comm_rank, ...), looked up once by the caller; nullptr if absent.
JAXMPI_EXPORT void* symbol(const char* name);

// Handles as they come in registers and arrays: MPICH's are 32 bits and the upper half of a register is undefined.
inline Word handle(Word raw) { return process().abi->handle_size == 4 ? static_cast<std::uint32_t>(raw) : raw; }
inline Word load_handle(const void* at) {
    return process().abi->handle_size == 4 ? *static_cast<const std::uint32_t*>(at) : *static_cast<const Word*>(at);
}
inline Word handle_at(Word array, std::size_t i) {
    return load_handle(reinterpret_cast<const std::byte*>(array) + i * process().abi->handle_size);
}
inline void store_handle_at(Word array, std::size_t i, Word value) {
    auto* const at = reinterpret_cast<std::byte*>(array) + i * process().abi->handle_size;
    if (process().abi->handle_size == 4)
        *reinterpret_cast<std::uint32_t*>(at) = static_cast<std::uint32_t>(value);
    else
        *reinterpret_cast<Word*>(at) = value;
}
inline std::int32_t integer(Word raw) { return static_cast<std::int32_t>(raw); }
// A count argument: int, or MPI_Count in large-count functions.
inline std::int64_t count(const FunctionInfo& info, Word raw) {
    return info.large ? static_cast<std::int64_t>(raw) : std::int64_t{static_cast<std::int32_t>(raw)};
}
inline std::int64_t count_at(const FunctionInfo& info, Word array, std::size_t i) {
    return info.large ? reinterpret_cast<const std::int64_t*>(array)[i]
                      : std::int64_t{reinterpret_cast<const std::int32_t*>(array)[i]};
}

// Time stamps of the ledger: the processor's counter, whose rate the reader calibrates.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    std::uint64_t t;
    asm volatile("mrs %0, cntvct_el0" : "=r"(t));
    return t;
#endif
}

}  // namespace jaxmpi
