"""Turbulence time series: running statistics by a user-defined operator, snapshots by changing writers."""
import argparse
import random
from pathlib import Path

import numpy as np
from mpi4py import MPI


def merge_moments(inbuf, inout, datatype):
    """(n, mean, M2) of two samples -> (n, mean, M2) of both."""
    a = np.frombuffer(inbuf, dtype="d")
    b = np.frombuffer(inout, dtype="d")
    n = a[0] + b[0]
    if n == 0:
        return
    delta = b[1] - a[1]
    mean = a[1] + delta * b[0] / n
    m2 = a[2] + b[2] + delta ** 2 * a[0] * b[0] / n
    b[:] = n, mean, m2


class Statistics:
    def __init__(self, comm):
        self.comm = comm
        self.op = MPI.Op.Create(merge_moments, commute=True)
        self.kind = MPI.DOUBLE.Create_contiguous(3)
        self.kind.Commit()

    def __call__(self, values):
        mine = np.array([len(values), values.mean(), ((values - values.mean()) ** 2).sum()])
        both = np.empty(3)
        self.comm.Allreduce([mine, 1, self.kind], [both, 1, self.kind], op=self.op)
        return both[1], both[2] / both[0]

    def free(self):
        self.op.Free()
        self.kind.Free()


class SnapshotStore:
    """Spreads the writing over the ranks by picking a random writer each time."""

    def __init__(self, comm, folder, seed):
        self.comm = comm
        self.folder = Path(folder)
        self.rng = random.Random()
        if comm.rank == 0:
            self.folder.mkdir(parents=True, exist_ok=True)
        comm.Barrier()

    def pick(self):
        return self.rng.randrange(self.comm.size)

    def save(self, step, values):
        writer = self.pick()
        parts = self.comm.gather(values, root=writer)
        if self.comm.rank == writer:
            np.save(self.folder / f"field_{step:04d}.npy", np.concatenate(parts))

    def check(self):
        self.comm.Barrier()
        return sorted(p.name for p in self.folder.glob("field_*.npy"))


def evolve(values, rng, dt):
    return values + dt * (-values + 0.3 * values ** 2) + np.sqrt(dt) * 0.4 * rng.standard_normal(len(values))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--cells", type=int, default=1003)
    ap.add_argument("--steps", type=int, default=40)
    ap.add_argument("--every", type=int, default=5)
    ap.add_argument("--out", default="fields")
    ap.add_argument("--seed", type=int, default=8)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    n = args.cells // comm.size + (comm.rank < args.cells % comm.size)
    rng = np.random.default_rng([args.seed, comm.rank])
    values = rng.standard_normal(n)
    store = SnapshotStore(comm, args.out, args.seed)
    statistics = Statistics(comm)
    for step in range(args.steps):
        values = evolve(values, rng, 0.05)
        if step % args.every == 0:
            store.save(step, values)
    mean, var = statistics(values)
    statistics.free()
    names = store.check()
    if comm.rank == 0:
        print(f"mean {mean:.5f} var {var:.5f}; {len(names)} snapshots")


if __name__ == "__main__":
    main()
