import argparse
import struct

import numpy as np
from mpi4py import MPI


MAGIC = b"SNAP"
HEADER = struct.Struct("<4sIQd")


class Snapshot:
    """Header by one rank, followed by the positions of all ranks."""

    def __init__(self, comm, path):
        self.comm = comm
        self.path = path

    def write_header(self, count, time):
        if self.comm.rank != 0:
            return
        mode = MPI.MODE_CREATE | MPI.MODE_WRONLY
        fh = MPI.File.Open(MPI.COMM_SELF, self.path, mode)
        fh.Set_size(0)
        fh.Write_at(0, HEADER.pack(MAGIC, 1, count, time))
        fh.Close()

    def write(self, pos, time):
        comm = self.comm
        n = len(pos)
        total = comm.allreduce(n)
        offset = comm.exscan(n) or 0
        self.write_header(total, time)
        comm.Barrier()
        fh = MPI.File.Open(comm, self.path, MPI.MODE_WRONLY)
        fh.Write_at_all(HEADER.size + offset * pos.itemsize * pos.shape[1], pos)
        fh.Close()
        return total


def read_snapshot(path):
    with open(path, "rb") as fh:
        magic, version, count, time = HEADER.unpack(fh.read(HEADER.size))
        assert magic == MAGIC and version == 1
        return time, np.fromfile(fh, dtype="d").reshape(count, 3)


def drift(pos, vel, dt):
    return np.mod(pos + dt * vel, 1.0)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-o", "--output", default="particles.snap")
    ap.add_argument("--steps", type=int, default=10)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD
    rng = np.random.default_rng(comm.rank)
    n = 500 + 10 * comm.rank
    pos, vel = rng.random((n, 3)), rng.normal(size=(n, 3))
    for _ in range(args.steps):
        pos = drift(pos, vel, 0.01)
    Snapshot(comm, args.output).write(pos, time=args.steps * 0.01)
    mean = comm.reduce(pos.sum(axis=0))
    if comm.rank == 0:
        t, everything = read_snapshot(args.output)
        print(f"t={t:.2f}: {len(everything)} particles, "
              f"agree: {np.allclose(everything.sum(axis=0), mean)}")


if __name__ == "__main__":
    main()
