import numpy as np
from mpi4py import MPI


class Diffusion:
    def __init__(self, comm, n, kappa=0.2):
        self.comm, self.n, self.kappa = comm, n, kappa
        self.prev = comm.rank - 1 if comm.rank else MPI.PROC_NULL
        self.next = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL

    def initial(self):
        full = np.zeros(self.n)
        full[self.n // 3: self.n // 2] = 1.0
        return np.array_split(full, self.comm.size)[self.comm.rank].copy()

    def step(self, u):
        ghosts = np.array([u[0], u[-1]])
        self.comm.Sendrecv(u[:1].copy(), self.prev, recvbuf=ghosts[1:], source=self.next)
        self.comm.Sendrecv(u[-1:].copy(), self.next, recvbuf=ghosts[:1], source=self.prev)
        padded = np.concatenate([ghosts[:1], u, ghosts[1:]])
        return u + self.kappa * (padded[2:] - 2 * u + padded[:-2])
