"""Smooth a field in batches and follow its norm."""
import numpy as np
from mpi4py import MPI


def norm(comm, x):
    square = np.array([x @ x])
    out = np.zeros(1)
    comm.Allreduce(square, out, op=MPI.SUM)
    return float(out[0]) ** 0.5


def smooth(x):
    return 0.25 * np.roll(x, 1) + 0.5 * x + 0.25 * np.roll(x, -1)


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    fields = [np.sin(np.arange(12.0) * (k + 1)) for k in range(5)]
    mine = fields[rank::size]
    norms = []
    for field in mine:  # change
        norms.append(norm(comm, smooth(field)))
    print(rank, len(mine), np.round(norms, 3))


main()
