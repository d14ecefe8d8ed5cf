import numpy as np
from mpi4py import MPI


class Lattice:
    """Independent Ising replicas, one per compute rank."""

    def __init__(self, comm, seed, n=24, beta=0.6):
        self.comm = comm
        self.beta = beta
        self.rng = np.random.default_rng([seed, comm.rank])
        self.s = np.ones((n, n), dtype=int)
        self.colour = np.indices((n, n)).sum(0) % 2

    def sweep(self):
        for c in (0, 1):
            s = self.s
            nb = (np.roll(s, 1, 0) + np.roll(s, -1, 0) +
                  np.roll(s, 1, 1) + np.roll(s, -1, 1))
            p = np.exp(-2.0 * self.beta * s * nb)
            flip = (self.rng.random(s.shape) < p) & (self.colour == c)
            s[flip] *= -1

    def magnetisation(self):
        local = abs(float(self.s.mean()))
        return self.comm.allreduce(local, op=MPI.SUM) / self.comm.size
