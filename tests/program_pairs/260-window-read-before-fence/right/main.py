"""Tally of photon hits: all ranks accumulate into a window of rank 0."""
import numpy as np
from mpi4py import MPI

NBINS = 32


class Tally:
    def __init__(self, comm, nbins):
        self.comm = comm
        nbytes = nbins * 8 if comm.rank == 0 else 0
        self.win = MPI.Win.Allocate(nbytes, disp_unit=8, comm=comm)
        self.local = np.frombuffer(self.win.tomemory(), dtype="d") if nbytes else None
        if self.local is not None:
            self.local[:] = 0.0
        self.win.Fence()

    def add(self, hits):
        self.win.Accumulate(hits, 0, op=MPI.SUM)

    def read(self):
        self.win.Fence()
        copy = self.local.copy() if self.local is not None else None
        return copy

    def close(self):
        self.local = None
        self.win.Free()


def trace(rank, photons):
    """Random walk of photons; the work grows with the rank."""
    rng = np.random.default_rng(rank)
    hits = np.zeros(NBINS)
    for _ in range(photons):
        path = np.cumsum(rng.normal(0, 1.5, size=200))
        hits[int(abs(path[-1])) % NBINS] += 1
    return hits


def main():
    comm = MPI.COMM_WORLD
    photons = 200 * (1 + 20 * comm.rank)
    tally = Tally(comm, NBINS)
    tally.add(trace(comm.rank, photons))
    result = tally.read()
    expected = comm.reduce(photons, op=MPI.SUM, root=0)
    tally.close()
    if comm.rank == 0:
        print(f"tallied {result.sum():.0f} of {expected}")
        assert result.sum() == expected


if __name__ == "__main__":
    main()
