"""1-D linear advection, Lax-Wendroff, periodic domain split over the ranks.

Every few steps the solution is checked for undershoots and for conservation
of mass; the blocks that look bad are listed at the end.
"""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass
class Params:
    cells: int = 300
    courant: float = 0.6
    steps: int = 120
    check_every: int = 10


def exchange_ghosts(comm, u):
    left = (comm.rank - 1) % comm.size
    right = (comm.rank + 1) % comm.size
    comm.Sendrecv(u[-2:-1].copy(), dest=right, recvbuf=u[0:1], source=left)
    comm.Sendrecv(u[1:2].copy(), dest=left, recvbuf=u[-1:], source=right)


def advance(u, c):
    um, u0, up = u[:-2], u[1:-1], u[2:]
    u[1:-1] = u0 - 0.5 * c * (up - um) + 0.5 * c * c * (up - 2.0 * u0 + um)


def healthy(comm, u, mass0):
    inner = u[1:-1]
    return inner.min() > -0.05 and abs(comm.allreduce(inner.sum()) - mass0) < 1e-8


def run(comm, prm):
    n_local = prm.cells // comm.size
    x0 = comm.rank * n_local
    x = (np.arange(x0, x0 + n_local) + 0.5) / (n_local * comm.size)
    u = np.zeros(n_local + 2)
    u[1:-1] = np.where((x > 0.1) & (x < 0.25), 1.0, 0.0)
    mass0 = comm.allreduce(u[1:-1].sum())

    bad_steps = []
    for step in range(1, prm.steps + 1):
        exchange_ghosts(comm, u)
        advance(u, prm.courant)
        if step % prm.check_every == 0:
            if not healthy(comm, u, mass0):
                bad_steps.append(step)
    return u[1:-1], bad_steps


def main():
    comm = MPI.COMM_WORLD
    u, bad = run(comm, Params())
    everything = comm.gather((u, bad), root=0)
    if comm.rank == 0:
        full = np.concatenate([part for part, _ in everything])
        print(f"mass {full.sum():.6f}  min {full.min():+.4f}  max {full.max():+.4f}")
        for r, (_, steps) in enumerate(everything):
            print(f"  block {r}: suspicious at steps {steps}")


if __name__ == "__main__":
    main()
