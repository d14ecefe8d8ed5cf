// What a shared object on disk needs, read without loading it.
#pragma once

#include <string>
#include <vector>

#include "core.hpp"

namespace jaxmpi {

// The sonames of what the file is linked to; empty for what is not an ELF file of this machine's word size.
JAXMPI_EXPORT std::vector<std::string> needed_by(const std::string& path);

}  // namespace jaxmpi
