// From an interposed function to the handler of its category.
#pragma once

#include <cstdint>

#include "core.hpp"

namespace jaxmpi {

struct ThreadContext;

// Expands, in an interposed function, to where that was called from.
#if defined(__x86_64__)
#define JAXMPI_CALLER \
    jaxmpi::Caller { reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), __builtin_dwarf_cfa() }
#else
#define JAXMPI_CALLER \
    jaxmpi::Caller { reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), nullptr }
#endif

// One call of an MPI function by the program.
struct Call {
    const FunctionInfo& info;
    Function function;
    Word* arguments;
    ThreadContext& thread;

    bool has(Role role) const { return info.position[static_cast<std::size_t>(role)] >= 0; }
    Word& operator[](Role role) const { return arguments[info.position[static_cast<std::size_t>(role)]]; }
    Word forward() const;  // the MPI library's own function, with `arguments` as they now are
    Word outcome() const;  // the same for what receives: MPICH returns success where an error handler comes back
};

using Handler = Word (*)(const Call&);

// What an interposed function calls. Passes straight through unless the process is active (or the category is one of
// initialise, finalise, abort, session, which decide themselves), the thread is not already inside a call, not paused,
// and this is not a forked child.
JAXMPI_EXPORT Word dispatch(Function function, Word* arguments, Caller caller);

// Handlers, one for each category; the file that defines each is named in handlers.hpp.
extern const std::array<Handler, kCategories> kHandlers;

}  // namespace jaxmpi
