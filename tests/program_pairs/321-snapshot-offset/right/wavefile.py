"""String vibrations; all time steps go to one binary file with MPI-IO."""
import argparse
import os
import tempfile

import numpy as np
from mpi4py import MPI


class SnapshotFile:
    """Records of n_global doubles; every process writes its piece of each record."""

    def __init__(self, comm, path, n_global, lo):
        self.comm = comm
        self.n_global = n_global
        self.lo = lo
        self.records = 0
        self.itemsize = np.dtype(float).itemsize
        self.file = MPI.File.Open(comm, path, MPI.MODE_CREATE | MPI.MODE_WRONLY)

    def position(self):
        return self.records * self.n_global + self.lo

    def append(self, piece):
        self.file.Write_at_all(self.position() * self.itemsize, np.ascontiguousarray(piece))
        self.records += 1

    def close(self):
        self.file.Close()


class String:
    def __init__(self, comm, n):
        self.comm = comm
        self.lo = n * comm.rank // comm.size
        self.hi = n * (comm.rank + 1) // comm.size
        x = (np.arange(self.lo, self.hi) + 1.0) / (n + 1)
        self.u = np.sin(np.pi * x) + 0.3 * np.sin(3 * np.pi * x)
        self.old = self.u.copy()
        self.left = comm.rank - 1 if comm.rank else MPI.PROC_NULL
        self.right = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL

    def step(self, courant=0.9):
        g = np.zeros(len(self.u) + 2)
        g[1:-1] = self.u
        self.comm.Sendrecv(g[1:2], dest=self.left, recvbuf=g[-1:], source=self.right)
        self.comm.Sendrecv(g[-2:-1], dest=self.right, recvbuf=g[:1], source=self.left)
        new = 2 * self.u - self.old + courant ** 2 * (g[:-2] - 2 * self.u + g[2:])
        self.old, self.u = self.u, new


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=99)
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--every", type=int, default=30)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    folder = comm.bcast(tempfile.mkdtemp() if comm.rank == 0 else None, root=0)
    path = os.path.join(folder, "string.bin")
    string = String(comm, args.points)
    out = SnapshotFile(comm, path, args.points, string.lo)
    last = None
    for step in range(1, args.steps + 1):
        string.step()
        if step % args.every == 0:
            out.append(string.u)
            last = comm.gather(string.u, root=0)
    out.close()
    if comm.rank == 0:
        data = np.fromfile(path)
        expected = args.points * out.records
        print(f"{len(data)} of {expected} values in the file")
        tail = data[-args.points:]
        print("last record agrees:", bool(np.array_equal(tail, np.concatenate(last))))
        print("amplitude of all records", round(float(np.abs(data).max()), 5))
        os.remove(path)
        os.rmdir(folder)


if __name__ == "__main__":
    main()
