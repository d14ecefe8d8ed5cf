// The segment of the ledger: made by one rank, found by the others.
#pragma once

#include <string>

#include "files.hpp"
#include "ledger.hpp"

namespace jaxmpi {

struct Plan {
    std::uint32_t local_ranks, history, communicators;
    std::int32_t world_size;
    std::string job, host, library, options, folder;
};

// A new segment in shared memory (or, if `in_folder`, in the job's folder) with a filled header, all of it reserved so
// that a full file system is an error now and not a signal later. Returns its path, "" and why.
std::string make_segment(const Plan& plan, bool in_folder, std::string& why);

// Maps an existing one; empty if it is not what a rank of this job may use.
JAXMPI_EXPORT Mapping open_segment(const std::string& path);

}  // namespace jaxmpi
