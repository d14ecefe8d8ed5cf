import sys

from mpi4py import MPI

from farm import Master, Worker


def main() -> int:
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        print("one master and at least one worker, please")
        return 1
    if comm.rank == 0:
        results = Master(comm, tasks=[0.1 * k for k in range(17)]).run()
        print(f"{len(results)} results, sum {sum(results.values()):.6f}")
    else:
        Worker(comm).run()
    return 0


sys.exit(main())
