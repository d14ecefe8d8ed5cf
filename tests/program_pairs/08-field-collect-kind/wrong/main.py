"""Advection of a pulse on a ring; the full field is collected for output."""
import argparse

import numpy as np
from mpi4py import MPI


class Domain:
    def __init__(self, comm, n):
        self.comm, self.n = comm, n
        q, r = divmod(n, comm.size)
        self.counts = [q + (i < r) for i in range(comm.size)]
        self.start = sum(self.counts[: comm.rank])
        self.local_n = self.counts[comm.rank]

    def coords(self):
        return (self.start + np.arange(self.local_n) + 0.5) / self.n

    def left_value(self, u):
        c = self.comm
        return c.sendrecv(u[-1], dest=(c.rank + 1) % c.size,
                          source=(c.rank - 1) % c.size)


def collect(dom, u):
    """Whole field on rank 0, None elsewhere."""
    comm = dom.comm
    full = np.empty(dom.n) if comm.rank == 0 else None
    if dom.local_n == dom.n // comm.size:
        comm.Gather(u, full, root=0)
    else:
        comm.Gatherv(u, [full, dom.counts] if comm.rank == 0 else None, root=0)
    return full


def main(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("-n", type=int, default=1001)
    p.add_argument("--cfl", type=float, default=0.8)
    p.add_argument("--steps", type=int, default=200)
    a = p.parse_args(argv)

    dom = Domain(MPI.COMM_WORLD, a.n)
    u = np.exp(-200 * (dom.coords() - 0.3) ** 2)
    for _ in range(a.steps):
        ghost = dom.left_value(u)
        u = u - a.cfl * np.diff(u, prepend=ghost)

    full = collect(dom, u)
    if full is not None:
        x = (np.arange(a.n) + 0.5) / a.n
        print(f"mass {full.sum() / a.n:.6f}  peak at {x[full.argmax()]:.3f}")


if __name__ == "__main__":
    main()
