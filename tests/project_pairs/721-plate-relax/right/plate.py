"""Steady temperature of a plate whose upper edge is heated."""
import sys

from mpi4py import MPI

from slab import Slab
from watch import Watch


def relax_until(slab, watch, limit):
    for step in range(1, limit + 1):
        change = slab.relax()
        if watch.settled(change):
            return step
    return limit


def main(side=18, tol=1e-2, limit=2000):
    comm = MPI.COMM_WORLD
    if comm.size > side:
        sys.exit("more ranks than rows")
    slab = Slab(comm, side)
    watch = Watch(comm, tol)
    steps = relax_until(slab, watch, limit)
    heat = comm.reduce(slab.heat(), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"steps {steps}  last change {watch.history[-1]:.5f}  heat {heat:.4f}")


if __name__ == "__main__":
    main()
