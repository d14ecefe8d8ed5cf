"""Two-dimensional Ising model, split into horizontal strips."""
import numpy as np
from mpi4py import MPI


class Strip:
    def __init__(self, comm, size, beta, seed):
        if size % (2 * comm.size):
            raise ValueError("lattice size must be a multiple of twice the number of ranks")
        self.comm = comm
        self.size = size
        self.rows = size // comm.size
        self.beta = beta
        self.rng = np.random.default_rng([seed, comm.rank])
        self.spins = np.ones((self.rows + 2, size), dtype=np.int8)
        self.spins[1:-1] = self.rng.choice(np.array([-1, 1], dtype=np.int8), size=(self.rows, size))
        self.up = (comm.rank - 1) % comm.size
        self.down = (comm.rank + 1) % comm.size
        ii, jj = np.indices((self.rows, size))
        parity = (ii + jj) % 2
        self.masks = (parity == 0, parity == 1)

    def exchange(self):
        s = self.spins
        self.comm.Sendrecv(s[1].copy(), dest=self.up, sendtag=1, recvbuf=s[-1], source=self.down, recvtag=1)
        self.comm.Sendrecv(s[-2].copy(), dest=self.down, sendtag=2, recvbuf=s[0], source=self.up, recvtag=2)

    def neighbours(self):
        s = self.spins
        inner = s[1:-1].astype(np.int32)
        return s[:-2] + s[2:] + np.roll(inner, 1, axis=1) + np.roll(inner, -1, axis=1)

    def sweep(self):
        for mask in self.masks:
            self.exchange()
            inner = self.spins[1:-1]
            d_e = 2.0 * inner * self.neighbours()
            accept = self.rng.random(inner.shape) < np.exp(-self.beta * d_e)
            inner[mask & accept] *= -1

    def magnetisation(self):
        total = self.comm.allreduce(int(self.spins[1:-1].sum()), op=MPI.SUM)
        return total / self.size**2
