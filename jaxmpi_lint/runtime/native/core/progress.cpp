#include "progress.hpp"

#include "core.hpp"
#include "routine.hpp"

namespace jaxmpi {
namespace {

constexpr int kUnusedTag = 0x7e57;  // every MPI has it

}  // namespace

// MPICH makes progress in a probe only if that finds no message, so it is for one that no program sends: from the rank
// to itself. And it answers a probe on a communicator of one rank without any progress; elsewhere MPI_COMM_SELF is
// preferred. No failure of another rank reaches the program's error handler through either.
void make_progress() {
    static const Routine probe{"PMPI_Iprobe"};
    const Process& p = process();
    const bool self = p.abi->probes_self;
    int flag = 0;
    probe(self ? p.abi->any_source : p.world_rank, self ? p.abi->any_tag : kUnusedTag,
          self ? p.comm_self : p.comm_world, &flag, p.abi->status_ignore);
}

}  // namespace jaxmpi
