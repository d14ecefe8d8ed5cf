"""Particles in a box that drift to the right; binary snapshot of the survivors."""
import os

import numpy as np
from mpi4py import MPI

RECORD = 3 * 8


class Slab:
    """Particles between lo and hi, owned by one rank."""

    def __init__(self, comm, per_rank):
        self.comm = comm
        self.lo = comm.rank / comm.size
        self.hi = (comm.rank + 1) / comm.size
        rng = np.random.default_rng(5 + comm.rank)
        self.p = np.empty((per_rank, 3))
        self.p[:, 0] = rng.uniform(self.lo, self.hi, per_rank)
        self.p[:, 1] = rng.uniform(0.2, 0.4, per_rank)
        self.p[:, 2] = rng.normal(0, 1, per_rank)

    def drift(self, dt):
        self.p[:, 0] += self.p[:, 1] * dt
        leaving = self.p[:, 0] >= self.hi
        out = self.p[leaving]
        self.p = self.p[~leaving]
        last = self.comm.size - 1
        dest = self.comm.rank + 1 if self.comm.rank < last else MPI.PROC_NULL
        src = self.comm.rank - 1 if self.comm.rank > 0 else MPI.PROC_NULL
        got = self.comm.sendrecv(out, dest=dest, source=src)
        if got is not None and len(got):
            self.p = np.vstack((self.p, got))


def write_snapshot(comm, path, particles):
    n = len(particles)
    offset = comm.exscan(n) or 0
    fh = MPI.File.Open(comm, path, MPI.MODE_WRONLY | MPI.MODE_CREATE)
    if n:
        fh.Write_at(offset * RECORD, np.ascontiguousarray(particles))
    fh.Close()


def main():
    comm = MPI.COMM_WORLD
    slab = Slab(comm, 2000)
    for _ in range(20):
        slab.drift(0.1)
    total = comm.allreduce(len(slab.p))
    write_snapshot(comm, "snapshot.bin", slab.p)
    comm.Barrier()
    if comm.rank == 0:
        data = np.fromfile("snapshot.bin").reshape(-1, 3)
        print("particles", total, "in file", len(data))
        print("mean position %.5f" % data[:, 0].mean())
        os.remove("snapshot.bin")


main()
