"""Distributed lookup table of cross sections read with passive-target RMA."""
import numpy as np
from mpi4py import MPI


class CrossSections:
    """Energy-ordered table, each rank holds a contiguous block of it."""

    def __init__(self, comm, points):
        self.comm = comm
        self.block = points // comm.Get_size()
        lo = comm.Get_rank() * self.block
        energy = np.geomspace(1e-3, 1e3, self.block * comm.Get_size())
        self.energy = energy
        local = self._model(energy[lo:lo + self.block])
        self.local = np.ascontiguousarray(local)
        self.win = MPI.Win.Create(self.local, self.local.itemsize, comm=comm)
        self.comm.Barrier()

    @staticmethod
    def _model(e):
        return 4.0 / np.sqrt(e) + 30.0 * np.exp(-np.log(e / 6.7) ** 2 * 40)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.comm.Barrier()
        self.win.Free()

    def fetch(self, index, count):
        owner, offset = divmod(index, self.block)
        count = min(count, self.block - offset)
        values = np.zeros(count)
        self.win.Lock(owner, MPI.LOCK_SHARED)
        self.win.Get(values, owner, target=(offset, count, MPI.DOUBLE))
        self.win.Unlock(owner)
        total = values.sum()
        return total / count

    def average(self, e, window=64):
        index = int(np.searchsorted(self.energy, e))
        return self.fetch(min(index, len(self.energy) - 1), window)


def transport(table, rng, histories):
    depth = 0.0
    for _ in range(histories):
        e = 10 ** rng.uniform(-2.9, 2.9)
        sigma = table.average(e)
        depth += rng.exponential(1.0 / sigma)
    return depth


def main():
    comm = MPI.COMM_WORLD
    rng = np.random.default_rng(70 + comm.Get_rank())
    with CrossSections(comm, 30000) as table:
        depth = transport(table, rng, 2000)
        total = comm.allreduce(depth)
    if comm.Get_rank() == 0:
        print("mean free path %.6f" % (total / 2000 / comm.Get_size()))


if __name__ == "__main__":
    main()
