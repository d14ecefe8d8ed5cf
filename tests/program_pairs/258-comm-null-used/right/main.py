"""Coarse-grid solve on a part of the ranks (every second one)."""
import numpy as np
from mpi4py import MPI


class CoarseGrid:
    def __init__(self, comm, every=2):
        self.comm = comm
        self.every = every
        color = 0 if comm.rank % every == 0 else MPI.UNDEFINED
        self.sub = comm.Split(color, key=comm.rank)

    @property
    def active(self):
        return self.sub != MPI.COMM_NULL

    def restrict(self, fine):
        """Hand the residual to the active rank of the group."""
        leader = self.comm.rank - self.comm.rank % self.every
        if self.comm.rank != leader:
            self.comm.send(fine, dest=leader, tag=5)
            return None
        parts = [fine]
        for r in range(leader + 1, min(leader + self.every, self.comm.size)):
            parts.append(self.comm.recv(source=r, tag=5))
        return np.concatenate(parts)

    def mean(self, coarse):
        s = np.array([coarse.sum(), coarse.size]) if coarse is not None else np.zeros(2)
        out = np.zeros(2)
        if self.active:
            self.sub.Allreduce(s, out, op=MPI.SUM)
        self.comm.Bcast(out, root=0)
        return out[0] / out[1]

    def close(self):
        if self.active:
            self.sub.Free()


def main():
    comm = MPI.COMM_WORLD
    fine = np.arange(10.0) + 10 * comm.rank
    grid = CoarseGrid(comm)
    coarse = grid.restrict(fine)
    m = grid.mean(coarse)
    if comm.rank == 0:
        print("mean", m)
        assert m == (10 * comm.size - 1) / 2
    grid.close()


if __name__ == "__main__":
    main()
