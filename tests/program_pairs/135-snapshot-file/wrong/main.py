import argparse
import os

import numpy as np
from mpi4py import MPI

import writer


def my_share(total, comm):
    base, extra = divmod(total, comm.size)
    n = base + (1 if comm.rank < extra else 0)
    first = comm.rank * base + min(comm.rank, extra)
    ids = np.arange(first, first + n, dtype=np.int64)
    pos = np.empty((n, 3))
    pos[:, 0] = np.cos(0.01 * ids)
    pos[:, 1] = np.sin(0.01 * ids)
    pos[:, 2] = ids
    return pos, ids


def drift(pos, dt):
    pos[:, 2] += dt
    return pos


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--particles", type=int, default=1001)
    ap.add_argument("--steps", type=int, default=3)
    ap.add_argument("--out", default="snapshots")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    if comm.rank == 0:
        os.makedirs(args.out, exist_ok=True)
    comm.Barrier()

    pos, ids = my_share(args.particles, comm)
    path = None
    for step in range(args.steps):
        pos = drift(pos, 0.5)
        path = os.path.join(args.out, f"snap_{step:03d}.bin")
        writer.SnapshotWriter(comm, path).write(pos, ids, 0.5 * (step + 1))

    if comm.rank == 0 and path is not None:
        head, pos, ids = writer.read(path)
        complete = np.array_equal(ids, np.arange(args.particles))
        print("particles", int(head["count"]), "time", float(head["time"]),
              "complete", complete, "z sum", round(float(pos[:, 2].sum()), 3))


if __name__ == "__main__":
    main()
