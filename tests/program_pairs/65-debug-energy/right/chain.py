import numpy as np


class Chain:
    """A part of a harmonic chain with fixed outer ends."""

    def __init__(self, comm, n_total):
        self.comm = comm
        counts = [len(a) for a in np.array_split(np.arange(n_total), comm.size)]
        self.first = sum(counts[:comm.rank])
        self.n = counts[comm.rank]
        k = self.first + np.arange(self.n)
        self.x = 0.1 * np.sin(2 * np.pi * (k + 1) / (n_total + 1))
        self.v = np.zeros(self.n)

    def padded(self):
        comm, r = self.comm, self.comm.rank
        left = right = 0.0
        if r > 0:
            left = comm.sendrecv(float(self.x[0]), dest=r - 1, source=r - 1)
        if r < comm.size - 1:
            right = comm.sendrecv(float(self.x[-1]), dest=r + 1, source=r + 1)
        return np.concatenate([[left], self.x, [right]])

    def force(self):
        p = self.padded()
        return p[2:] - 2 * p[1:-1] + p[:-2]

    def step(self, dt):
        self.v += 0.5 * dt * self.force()
        self.x += dt * self.v
        self.v += 0.5 * dt * self.force()

    def energy(self):
        p = self.padded()
        stretch = np.diff(p)
        if self.comm.rank < self.comm.size - 1:
            stretch = stretch[:-1]
        local = 0.5 * np.sum(self.v ** 2) + 0.5 * np.sum(stretch ** 2)
        return self.comm.allreduce(float(local))
