// A second MPI library in the process: whoever calls it comes through here first.
#pragma once

#include <string>

#include "core.hpp"

namespace jaxmpi {

// The function that stands before `function` of the second library at `path`.
void* guard_of_second(Function function, const std::string& path);

// The path of the second library, "" if none has been met.
JAXMPI_EXPORT const std::string& second_library();

}  // namespace jaxmpi
