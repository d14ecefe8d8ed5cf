"""Distributed transpose by pairwise exchange of square tiles."""
import numpy as np


class Transposer:
    def __init__(self, blocks):
        self.blocks = blocks
        self.comm = blocks.comm
        r = blocks.rows
        self.sendbuf = np.empty((r, r), dtype=complex)
        self.recvbuf = np.empty((r, r), dtype=complex)
        self.exchanged = 0

    def partners(self):
        for shift in range(1, self.comm.size):
            yield (self.comm.rank + shift) % self.comm.size, (self.comm.rank - shift) % self.comm.size

    def tile(self, a, other):
        r = self.blocks.rows
        return a[:, other * r:(other + 1) * r]

    def swap(self, dest, source):
        self.comm.Sendrecv(self.sendbuf, dest=dest, sendtag=7,
                           recvbuf=self.recvbuf, source=source, recvtag=7)
        self.exchanged += self.recvbuf.nbytes

    def __call__(self, a):
        out = np.empty_like(a)
        me = self.comm.rank
        self.tile(out, me)[:] = self.tile(a, me).T
        for dest, source in self.partners():
            self.sendbuf[:] = self.tile(a, dest)
            self.swap(dest, source)
            self.tile(out, source)[:] = self.recvbuf.T
        return out
