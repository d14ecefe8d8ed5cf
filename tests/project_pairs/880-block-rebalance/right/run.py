import numpy as np
from mpi4py import MPI

from forest.balance import CurveBalancer
from forest.container import Forest
from forest.migrate import Migrator


def imbalance(forest):
    loads = forest.comm.allgather(forest.load)
    return max(loads) * len(loads) / sum(loads)


def main():
    comm = MPI.COMM_WORLD
    forest = Forest(comm, total=48)
    forest.smooth()
    before = forest.checksum()
    first = imbalance(forest)
    plan = CurveBalancer().plan(forest)
    sent, received = Migrator(forest).execute(plan)
    counts = comm.gather((sent, received), root=0)
    last = imbalance(forest)
    after = forest.checksum()
    if comm.rank == 0:
        print(f"moved {len(plan)} blocks, (sent, received) per process {counts}")
        print(f"imbalance {first:.3f} -> {last:.3f}")
        print(f"contents kept: {np.isclose(before, after)}")


if __name__ == "__main__":
    main()
