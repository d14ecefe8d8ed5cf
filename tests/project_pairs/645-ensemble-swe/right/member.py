import numpy as np
from mpi4py import MPI

from reductions import global_max, global_sum

G = 9.81


class ShallowWaterMember:
    """1-D linear shallow water on a periodic channel, split over `comm`."""

    def __init__(self, comm, nx=256, depth=50.0, amplitude=1.0, cfl=0.5):
        self.comm = comm
        if nx % comm.size:
            raise ValueError(f"nx={nx} is not divisible by {comm.size}")
        self.n = nx // comm.size
        self.dx = 1000.0
        self.depth = depth
        x = (np.arange(self.n) + comm.rank * self.n) * self.dx
        mid = 0.5 * nx * self.dx
        self.eta = amplitude * np.exp(-(((x - mid) / (12 * self.dx)) ** 2))
        self.u = np.zeros(self.n)
        self.dt = cfl * self.dx / np.sqrt(G * depth)
        self.left = (comm.rank - 1) % comm.size
        self.right = (comm.rank + 1) % comm.size

    def _from_left(self, f):
        return self.comm.sendrecv(f[-1], dest=self.right, source=self.left)

    def _from_right(self, f):
        return self.comm.sendrecv(f[0], dest=self.left, source=self.right)

    def step(self):
        east = np.append(self.eta[1:], self._from_right(self.eta))
        self.u -= self.dt * G * (east - self.eta) / self.dx
        west = np.insert(self.u[:-1], 0, self._from_left(self.u))
        self.eta -= self.dt * self.depth * (self.u - west) / self.dx

    def run(self, steps):
        for _ in range(steps):
            self.step()

    def energy(self):
        dens = 0.5 * self.depth * self.u**2 + 0.5 * G * self.eta**2
        return global_sum(dens, comm=self.comm) * self.dx

    def crest(self):
        return global_max(self.eta, comm=self.comm)

    def diagnostics(self):
        return {"depth": self.depth, "energy": self.energy(), "crest": self.crest()}
