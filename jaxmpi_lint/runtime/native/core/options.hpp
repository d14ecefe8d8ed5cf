// Options of the core, read from the canonical text that the Python side has checked.
#pragma once

#include <string_view>

#include "core.hpp"

namespace jaxmpi {

Options parse_options(std::string_view text);

// Keeps an own copy of standard error for the sanitizer's lines, once.
JAXMPI_EXPORT void keep_standard_error();

// What happens at switching on: takes the options, enters Phase::kLoaded.
JAXMPI_EXPORT void configure(std::string_view text, std::string_view monitor, std::string_view unchecked);

}  // namespace jaxmpi
