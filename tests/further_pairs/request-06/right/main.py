"""Histogram over several levels, one per rank (two ranks or more)."""

import numpy as np
from mpi4py import MPI

from sampling import histogram

TAG = 4


class Collector:
    def __init__(self, comm: MPI.Comm, nbins: int):
        self.comm = comm
        self.nbins = nbins

    def collect(self, counts: np.ndarray):
        if self.comm.rank != 0:
            self.comm.Send(counts, dest=0, tag=TAG)
            return None
        rows = np.zeros((self.comm.size, self.nbins))
        rows[0] = counts
        reqs = [self.comm.Irecv(rows[r], source=r, tag=TAG) for r in range(1, self.comm.size)]
        MPI.Request.Waitall(reqs)
        return rows.sum(axis=0)


if __name__ == "__main__":
    comm = MPI.COMM_WORLD
    total = Collector(comm, 32).collect(histogram(comm.rank, 32))
    if total is not None:
        print("samples", int(total.sum()), "largest bin", int(total.max()))
