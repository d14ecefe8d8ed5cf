"""Explicit heat conduction in a rod with roll-back when the step turns out unstable."""
import argparse

import numpy as np
from mpi4py import MPI


class Snapshot:
    """The last state that was known to be good."""

    def __init__(self, step, u, dt):
        self.take(step, u, dt)

    def take(self, step, u, dt):
        self.step = step
        self.u = u.copy()
        self.dt = dt

    def restore(self):
        return self.step, self.u.copy(), 0.5 * self.dt


class Rod:
    def __init__(self, comm, cells):
        self.comm = comm
        self.n = cells // comm.size
        self.dx = 1.0 / (self.n * comm.size)
        x = (comm.rank * self.n + np.arange(self.n) + 0.5) * self.dx
        self.k = np.where(x > 0.7, 4.0, 1.0)
        self.initial = np.where(np.abs(x - 0.5) < 0.12, 1.0, 0.0)
        self.left = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.right = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL

    def ghosts(self, u):
        lo, hi = u[:1].copy(), u[-1:].copy()
        self.comm.Sendrecv(u[-1:].copy(), dest=self.right, recvbuf=lo, source=self.left)
        self.comm.Sendrecv(u[:1].copy(), dest=self.left, recvbuf=hi, source=self.right)
        return np.concatenate([lo, u, hi])

    def advance(self, u, dt):
        g = self.ghosts(u)
        return u + dt * self.k / self.dx ** 2 * (g[:-2] - 2 * u + g[2:])

    def healthy(self, u):
        return bool(np.isfinite(u).all() and u.max() <= 1.05 and u.min() >= -0.05)


def integrate(rod, steps, dt, keep_every=20):
    u = rod.initial.copy()
    good = Snapshot(0, u, dt)
    step = rollbacks = 0
    while step < steps:
        u = rod.advance(u, dt)
        step += 1
        if step % keep_every == 0:
            if not rod.healthy(u):
                step, u, dt = good.restore()
                good.dt = dt
                rollbacks += 1
            else:
                good.take(step, u, dt)
    return u, dt, rollbacks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=120)
    parser.add_argument("--steps", type=int, default=400)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    rod = Rod(comm, args.cells)
    u, dt, rollbacks = integrate(rod, args.steps, dt=0.4 * rod.dx ** 2)
    total = comm.reduce(float(u.sum()) * rod.dx, root=0)
    if comm.rank == 0:
        print(f"dt {dt:.3e} after {rollbacks} roll-backs, heat {total:.6f}")


if __name__ == "__main__":
    main()
