"""2-D Ising model on a strip of rows, checkerboard Metropolis."""
import numpy as np
from mpi4py import MPI


class IsingStrip:
    def __init__(self, comm, rows, cols, beta, seed):
        self.comm = comm
        self.rows = rows
        self.beta = beta
        self.rng = np.random.default_rng([seed, comm.rank])
        self.spins = np.ones((rows + 2, cols), dtype=np.int8)
        self.spins[1:-1] = self.rng.choice(np.array([-1, 1], dtype=np.int8), (rows, cols))
        i, j = np.indices((rows, cols))
        self.colour = (i + j) % 2
        self.prev = (comm.rank - 1) % comm.size
        self.next = (comm.rank + 1) % comm.size

    def halo(self):
        s = self.spins
        self.comm.Sendrecv(s[1], dest=self.prev, sendtag=3,
                           recvbuf=s[-1], source=self.next, recvtag=3)
        self.comm.Sendrecv(s[-2], dest=self.next, sendtag=4,
                           recvbuf=s[0], source=self.prev, recvtag=4)

    def neighbours(self):
        s = self.spins.astype(int)
        mid = s[1:-1]
        return s[:-2] + s[2:] + np.roll(mid, 1, axis=1) + np.roll(mid, -1, axis=1)

    def sweep(self):
        accepted = 0
        for c in (0, 1):
            self.halo()
            inner = self.spins[1:-1]
            cost = 2.0 * inner * self.neighbours()
            draw = self.rng.random(inner.shape)
            flip = (self.colour == c) & (draw < np.exp(-self.beta * np.clip(cost, 0, None)))
            inner[flip] *= -1
            accepted += int(flip.sum())
        return accepted / inner.size

    def magnetisation(self):
        return float(self.spins[1:-1].mean())
