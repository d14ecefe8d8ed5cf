"""Linear shallow water channel, decomposed along x, periodic."""
import numpy as np
from mpi4py import MPI


class ShallowWater:
    g = 9.81

    def __init__(self, comm, nx, depth, length):
        if nx % comm.size:
            raise ValueError("nx must be a multiple of the number of ranks")
        self.comm = comm
        self.n = nx // comm.size
        self.dx = length / nx
        self.depth = depth
        x = (comm.rank * self.n + np.arange(self.n) + 0.5) * self.dx
        self.h = np.zeros(self.n + 2)
        self.u = np.zeros(self.n + 2)
        self.h[1:-1] = 0.5 * np.exp(-((x - 0.4 * length) / (0.05 * length)) ** 2)
        self.left = (comm.rank - 1) % comm.size
        self.right = (comm.rank + 1) % comm.size
        self.time = 0.0

    def halo(self, a):
        self.comm.Sendrecv(a[1:2], dest=self.left, sendtag=1,
                           recvbuf=a[-1:], source=self.right, recvtag=1)
        self.comm.Sendrecv(a[-2:-1], dest=self.right, sendtag=2,
                           recvbuf=a[:1], source=self.left, recvtag=2)

    def dt(self, cfl):
        return cfl * self.dx / np.sqrt(self.g * self.depth)

    def step(self, dt):
        self.halo(self.h)
        self.halo(self.u)
        self.u[1:-1] -= dt * self.g * (self.h[1:-1] - self.h[:-2]) / self.dx
        self.halo(self.u)
        self.h[1:-1] -= dt * self.depth * (self.u[2:] - self.u[1:-1]) / self.dx
        self.time += dt

    def volume(self):
        return self.comm.allreduce(float(self.h[1:-1].sum()) * self.dx, op=MPI.SUM)
