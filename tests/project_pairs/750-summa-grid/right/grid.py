import math

import numpy as np
from mpi4py import MPI


class ProcessGrid:
    """Square grid of processes holding square matrices in blocks."""

    def __init__(self, world, n):
        self.q = math.isqrt(world.size)
        if self.q * self.q != world.size or n % self.q:
            raise SystemExit("need a square number of processes and q | n")
        self.n = n
        self.block = n // self.q
        self.cart = world.Create_cart([self.q, self.q], periods=[False, False])
        self.row, self.col = self.cart.Get_coords(self.cart.rank)
        self.in_row = self.cart.Sub([False, True])
        self.in_col = self.cart.Sub([True, False])

    def my_block(self, entry):
        i = self.row * self.block + np.arange(self.block)[:, None]
        j = self.col * self.block + np.arange(self.block)[None, :]
        return np.ascontiguousarray(entry(i, j), dtype=float)

    def assemble(self, local):
        pieces = self.cart.gather(local, root=0)
        if self.cart.rank != 0:
            return None
        full = np.empty((self.n, self.n))
        b = self.block
        for r, piece in enumerate(pieces):
            i, j = self.cart.Get_coords(r)
            full[i * b:(i + 1) * b, j * b:(j + 1) * b] = piece
        return full

    def free(self):
        for comm in (self.in_row, self.in_col, self.cart):
            comm.Free()
