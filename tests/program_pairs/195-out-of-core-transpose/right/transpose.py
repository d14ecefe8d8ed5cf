"""Transpose a matrix that is kept as blocks of rows, by way of scratch files."""
import sys

import numpy as np
from mpi4py import MPI

from scratch import ScratchSpace

ROWS_PER_RANK = 32


def make_rows(comm):
    n = ROWS_PER_RANK * comm.size
    first = comm.rank * ROWS_PER_RANK
    i = np.arange(first, first + ROWS_PER_RANK)[:, None]
    return i * n + np.arange(n)[None, :]


def transpose(comm, rows):
    with ScratchSpace(comm, "scratch_transpose") as scratch:
        for dest in range(comm.size):
            cols = slice(dest * ROWS_PER_RANK, (dest + 1) * ROWS_PER_RANK)
            np.save(scratch.file(comm.rank, dest), rows[:, cols].T)
        comm.Barrier()
        pieces = [np.load(scratch.file(src, comm.rank)) for src in range(comm.size)]
    return np.hstack(pieces)


def main():
    comm = MPI.COMM_WORLD
    rows = make_rows(comm)
    out = transpose(comm, rows)

    n = ROWS_PER_RANK * comm.size
    first = comm.rank * ROWS_PER_RANK
    expected = np.arange(n)[None, :] * n + np.arange(first, first + ROWS_PER_RANK)[:, None]
    good = comm.allreduce(bool(np.array_equal(out, expected)), op=MPI.LAND)
    if comm.rank == 0:
        print("transpose of a %d x %d matrix: %s" % (n, n, "ok" if good else "WRONG"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
