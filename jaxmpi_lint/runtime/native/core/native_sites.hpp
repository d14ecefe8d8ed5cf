// Call sites in compiled code: which instructions of the program lead to this MPI call.
//
// Unwinding takes microseconds, so each thread remembers the frames that it has met: from the address of a call it
// knows how far away the next return address lies, reads that from the stack, and looks for it among those it met
// there. What it has not met is unwound.
#pragma once

#include "core.hpp"

namespace jaxmpi {

// The site of a call in a program without Python, with its callers; kNone if it is unknown.
std::uint32_t native_site(const Caller& caller);

// The site of a call in a process with Python. `python` is that of the innermost line of Python. The call is made there
// unless it is compiled code of the program that makes it: then `python` is its caller.
std::uint32_t native_site_in_python(const Caller& caller, std::uint32_t python);

}  // namespace jaxmpi
