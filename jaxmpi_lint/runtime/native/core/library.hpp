// The MPI library below: its file, its functions, its ABI.
#pragma once

#include <string>
#include <vector>

#include "core.hpp"

namespace jaxmpi {

struct MappedLibrary {
    std::string soname, path;
};
// The MPI libraries that are mapped into this process, in the order in which they came.
JAXMPI_EXPORT std::vector<MappedLibrary> mapped_libraries();

// Uses the libmpi at `path` (it must be mapped already or be loadable); "" looks for one among the mapped objects.
// Fills process().library, abi, the handles and the table behind real(). Returns why not, "" if all is well.
JAXMPI_EXPORT std::string use_library(const std::string& path);

// Groups of functions that the library has completely.
JAXMPI_EXPORT std::vector<Group> available_groups();

// Loads the interposers of those groups into the global scope, so that what is loaded later binds to them.
// Returns why not, "" if all is well.
JAXMPI_EXPORT std::string load_interposers();

// Our function of this name, nullptr if its group is not loaded.
void* interposer_of(Function function);

// The ABI of a library by its soname and symbols, nullptr if unknown (abi.cpp).
const Abi* recognise(const char* soname, void* library);
// Fills the predefined handles of process() for its ABI (abi.cpp). Returns what is missing, "" if nothing.
std::string fill_handles();

}  // namespace jaxmpi
