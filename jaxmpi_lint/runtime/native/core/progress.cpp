#include "progress.hpp"

#include "core.hpp"
#include "routine.hpp"

namespace jaxmpi {

// MPICH answers a probe on a communicator of one rank without making any progress. Elsewhere MPI_COMM_SELF is
// preferred: no failure of another rank reaches the program's error handler through it.
void make_progress() {
    static const Routine probe{"PMPI_Iprobe"};
    const Process& p = process();
    const Word comm = p.abi->probes_self ? p.comm_self : p.comm_world;
    int flag = 0;
    probe(p.abi->any_source, p.abi->any_tag, comm, &flag, p.abi->status_ignore);
}

}  // namespace jaxmpi
