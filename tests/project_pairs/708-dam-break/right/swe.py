"""One-dimensional shallow water equations, finite volumes with Rusanov fluxes."""
import numpy as np
from mpi4py import MPI

GRAVITY = 9.81


class Channel:
    """A closed channel; the cells are dealt to the ranks in contiguous pieces."""

    def __init__(self, comm, length, ncells, cfl=0.4):
        self.comm = comm
        self.dx = length / ncells
        self.cfl = cfl
        bounds = np.linspace(0, ncells, comm.size + 1).astype(int)
        self.lo, self.hi = bounds[comm.rank], bounds[comm.rank + 1]
        self.x = (np.arange(self.lo, self.hi) + 0.5) * self.dx
        self.q = np.zeros((2, self.hi - self.lo + 2))
        self.time = 0.0

    @property
    def inner(self):
        return self.q[:, 1:-1]

    def set_depth(self, func):
        self.inner[0] = func(self.x)

    def _ghosts(self):
        q, comm = self.q, self.comm
        prev = comm.rank - 1 if comm.rank else MPI.PROC_NULL
        nxt = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
        wall_l, wall_r = q[:, 1] * (1, -1), q[:, -2] * (1, -1)
        comm.Sendrecv(q[:, 1].copy(), dest=prev, recvbuf=wall_r, source=nxt)
        comm.Sendrecv(q[:, -2].copy(), dest=nxt, recvbuf=wall_l, source=prev)
        q[:, 0], q[:, -1] = wall_l, wall_r

    @staticmethod
    def _speeds(q):
        h = np.maximum(q[0], 1e-8)
        return np.abs(q[1] / h) + np.sqrt(GRAVITY * h)

    @staticmethod
    def _flux(q):
        h = np.maximum(q[0], 1e-8)
        return np.array([q[1], q[1] ** 2 / h + 0.5 * GRAVITY * h**2])

    def stable_dt(self):
        fastest = self._speeds(self.inner).max()
        fastest = self.comm.allreduce(fastest, op=MPI.MAX)
        return self.cfl * self.dx / fastest

    def step(self):
        self._ghosts()
        dt = self.stable_dt()
        left, right = self.q[:, :-1], self.q[:, 1:]
        a = np.maximum(self._speeds(left), self._speeds(right))
        f = 0.5 * (self._flux(left) + self._flux(right)) - 0.5 * a * (right - left)
        self.inner[...] -= dt / self.dx * (f[:, 1:] - f[:, :-1])
        self.time += dt

    def volume(self):
        return self.comm.allreduce(float(self.inner[0].sum()) * self.dx)
