// Callers that were bound to the MPI library itself are pointed to the interposers: objects that were loaded earlier,
// or that ask for their own libraries first (RTLD_DEEPBIND), and bindings of Fortran that call PMPI_ functions.
#pragma once

#include <cstddef>
#include <string>

#include "core.hpp"

namespace jaxmpi {

struct Rewritten {
    std::size_t slots = 0;  // that had been bound past the interposers
    std::string callers;    // the names of the objects they are in, separated by ", "
};

// Looks at the objects that have been mapped since the last time. Callers of a second MPI library are pointed to the
// guards of second_library.hpp. Not while another thread is in here.
JAXMPI_EXPORT Rewritten rewrite_slots();

}  // namespace jaxmpi
