// What the kernel says of a process.
#pragma once

#include <cstdint>
#include <string>

#include "export.hpp"

namespace jaxmpi {

struct ProcessStat {
    std::string name;
    char state = 'X';  // as in proc(5); X also if it is gone
    std::int32_t parent = 0;
    std::uint64_t flags = 0;
    std::uint64_t started = 0;        // clock ticks since boot
    std::uint64_t pending = 0;        // signals
    std::int32_t ending = 0;          // wait status, from the moment that it must end; needs the right to look at it
    JAXMPI_EXPORT bool ends() const;  // it is gone, or on its way
};

JAXMPI_EXPORT ProcessStat process_stat(std::int32_t pid);

}  // namespace jaxmpi
