// The standard error that the program began with: reports go there, whatever the program does with its own.
#pragma once

#include <string>

#include "core.hpp"

namespace jaxmpi {

// The descriptor that was kept at activation, or 2 if the program has closed it since the first call.
int report_descriptor();

// Writes all of it.
void write_report(const std::string& text);

}  // namespace jaxmpi
