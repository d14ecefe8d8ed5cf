// Which file an instruction of this process belongs to, and whose that file is.
#pragma once

#include <string>

#include "core.hpp"

namespace jaxmpi {

enum class CodeOwner : std::uint8_t {
    kMpi,      // MPI, its Fortran interface or this sanitizer: never where a call is made
    kLibrary,  // installed for all programs, or generated while the program runs
    kProgram,
};

struct CodePlace {
    CodeOwner owner = CodeOwner::kLibrary;
    std::string file;  // "" if the instruction is in no file
    std::string build;
    std::uint32_t address = 0;  // as in the file's symbol table
    bool starts = false;        // of the C library, or of what starts the executable
};

CodePlace code_at(std::uintptr_t address);

// Whether a file lies where Python's libraries are installed. Registered by the Python extension: from then on the
// executable is the interpreter, not the program.
using LibraryTest = bool (*)(const char* file);
JAXMPI_EXPORT void set_library_test(LibraryTest test);

}  // namespace jaxmpi
