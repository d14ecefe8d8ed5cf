// Which job this process belongs to, as far as its environment and its ancestors tell, without asking MPI.
#pragma once

#include <cstdint>
#include <string>

#include "export.hpp"

namespace jaxmpi {

// Equal in all ranks of one job on this host and in no other: the launcher's own name for it, else the nearest
// launcher among the ancestors by pid and start time, else the parent.
std::string job_identity(std::int32_t world_size);

// The name of this host.
std::string host_name();

// Ranks that the launcher says it started in all and on this host, 0: it says nothing; and which of them this is.
struct Launched {
    std::int32_t total = 0;
    std::int32_t here = 0;
    std::int32_t rank = 0;
    const char* by = "";
};
Launched launched();

// The process that the user started the job of this one with, if it runs on this host; 0 if not.
JAXMPI_EXPORT std::int32_t front_launcher(std::int32_t pid);

// Start of a process in clock ticks since boot, 0 if it is gone.
JAXMPI_EXPORT std::uint64_t started(std::int32_t pid);
// Whether it is gone or only waits to be buried.
bool is_dead(std::int32_t pid);

}  // namespace jaxmpi
