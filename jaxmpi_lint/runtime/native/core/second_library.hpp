// A second MPI library in the process: every call of it passes through here first.
#pragma once

#include <string>

#include "core.hpp"

namespace jaxmpi {

// What stands before the function `name` of the second library at `path`; nullptr where nothing has to: questions that
// may be asked of any library at any time, and a third library.
void* guard_of_second(const char* name, const std::string& path);

}  // namespace jaxmpi
