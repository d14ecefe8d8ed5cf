import sys

from mpi4py import MPI

from compute import Lattice
from ioserver import IOServer

SWEEPS = 40
OUTPUT_EVERY = 10


def main():
    world = MPI.COMM_WORLD
    if world.size < 2:
        sys.exit("need one IO rank and at least one compute rank")

    io_rank = world.size - 1
    is_io = world.rank == io_rank
    group = world.Split(color=1 if is_io else 0, key=world.rank)

    if is_io:
        IOServer(world, clients=world.size - 1).serve()
    else:
        lattice = Lattice(world, seed=31)
        for sweep in range(SWEEPS):
            lattice.sweep()
            if sweep % OUTPUT_EVERY == 0:
                m = lattice.magnetisation()
                world.send(("data", sweep, m), dest=io_rank, tag=9)
        world.send(("end", None, None), dest=io_rank, tag=9)
    group.Free()


if __name__ == "__main__":
    main()
