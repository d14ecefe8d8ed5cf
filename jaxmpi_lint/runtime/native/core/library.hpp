// The MPI library below: found, resolved, its ABI told.
#pragma once

#include <string>
#include <vector>

#include "core.hpp"

namespace jaxmpi {

// The path of the first MPI library that is mapped into this process, "" if there is none.
JAXMPI_EXPORT std::string mapped_library();

// Uses the libmpi at `path` (it must be mapped already or be loadable); "" looks for one among the mapped objects.
// Fills process().library, abi, the handles and the table behind real(). Returns why not, "" if all is well.
JAXMPI_EXPORT std::string use_library(const std::string& path);

// Groups of functions that the library has completely.
JAXMPI_EXPORT std::vector<Group> available_groups();

// Loads the interposers of those groups into the global scope, so that what is loaded later binds to them.
// Returns why not, "" if all is well.
JAXMPI_EXPORT std::string load_interposers();

// The ABI of a library by its soname and symbols, nullptr if unknown (abi.cpp).
const Abi* recognise(const char* soname, void* library);
// Fills the predefined handles of process() for its ABI (abi.cpp). Returns what is missing, "" if nothing.
std::string fill_handles();

}  // namespace jaxmpi
