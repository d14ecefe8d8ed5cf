"""Heat equation in a rod with per-rank checkpoints and restart."""
import argparse
import re
from pathlib import Path

import numpy as np
from mpi4py import MPI


class Checkpoints:
    """Each rank stores its own block every *every* steps."""

    def __init__(self, folder: Path, comm, every: int):
        self.folder, self.comm, self.every = folder, comm, every
        folder.mkdir(exist_ok=True)

    def due(self, step):
        return step > 0 and step % self.every == 0

    def save(self, step, u):
        np.save(self.folder / f"rod-{self.comm.rank}-{step:06d}.npy", u)

    def latest(self):
        pattern = re.compile(rf"rod-{self.comm.rank}-(\d+)\.npy$")
        found = {int(m.group(1)): f for f in self.folder.iterdir()
                 if (m := pattern.match(f.name))}
        if not found:
            return 0, None
        step = max(found)
        return step, np.load(found[step])


def exchange(comm, u):
    left = comm.rank - 1 if comm.rank else MPI.PROC_NULL
    right = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
    comm.Sendrecv(u[1:2], dest=left, recvbuf=u[-1:], source=right)
    comm.Sendrecv(u[-2:-1], dest=right, recvbuf=u[:1], source=left)


def integrate(comm, u, first, last, store):
    for step in range(first, last):
        if store.due(step) and step != first:
            store.save(step, u)
        exchange(comm, u)
        u[1:-1] += 0.4 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


def start(comm, n):
    cells = np.array_split(np.arange(n), comm.size)[comm.rank]
    u = np.zeros(cells.size + 2)
    u[1:-1] = np.where((cells > n // 3) & (cells < n // 2), 1.0, 0.0)
    return u


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--cells", type=int, default=240)
    ap.add_argument("--every", type=int, default=25)
    ap.add_argument("--limits", type=int, nargs="+", default=[90, 200],
                    help="last step of each consecutive run")
    args = ap.parse_args()
    comm = MPI.COMM_WORLD
    store = Checkpoints(Path("restart"), comm, args.every)
    for limit in args.limits:
        step, u = store.latest()
        if u is None:
            u = start(comm, args.cells)
        u = integrate(comm, u, step, limit, store)
        comm.Barrier()
    total = comm.reduce(float((u[1:-1] ** 2).sum()))
    if comm.rank == 0:
        print(f"sum of squares at step {args.limits[-1]}: {total:.12f}")


if __name__ == "__main__":
    main()
