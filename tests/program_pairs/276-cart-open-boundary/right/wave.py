"""1-D wave equation on a string clamped at both ends (leap-frog)."""
import numpy as np
from mpi4py import MPI

N = 600
C = 1.0
DT_FACTOR = 0.9


class String:
    def __init__(self, world, n):
        self.cart = world.Create_cart([world.size], periods=[False], reorder=False)
        self.rank = self.cart.rank
        self.nloc = n // self.cart.size
        self.left, self.right = self.cart.Shift(0, 1)
        self.dx = 1.0 / (n + 1)
        self.dt = DT_FACTOR * self.dx / C
        x = (self.rank * self.nloc + np.arange(self.nloc) + 1) * self.dx
        self.now = np.zeros(self.nloc + 2)
        self.now[1:-1] = np.sin(np.pi * x) + 0.3 * np.sin(3 * np.pi * x)
        self.old = self.now.copy()

    def halo(self):
        reqs = [
            self.cart.Isend(self.now[1:2], dest=self.left, tag=1),
            self.cart.Isend(self.now[-2:-1], dest=self.right, tag=2),
            self.cart.Irecv(self.now[0:1], source=self.left, tag=2),
            self.cart.Irecv(self.now[-1:], source=self.right, tag=1),
        ]
        MPI.Request.Waitall(reqs)

    def advance(self, first=False):
        self.halo()
        r2 = (C * self.dt / self.dx) ** 2
        lap = self.now[:-2] - 2 * self.now[1:-1] + self.now[2:]
        new = self.now.copy()
        if first:
            new[1:-1] = self.now[1:-1] + 0.5 * r2 * lap
        else:
            new[1:-1] = 2 * self.now[1:-1] - self.old[1:-1] + r2 * lap
        self.old, self.now = self.now, new

    def amplitude(self):
        return self.cart.allreduce(np.abs(self.now[1:-1]).max(), op=MPI.MAX)


string = String(MPI.COMM_WORLD, N)
string.advance(first=True)
for step in range(1, 401):
    string.advance()
    if step % 100 == 0:
        amp = string.amplitude()
        if string.rank == 0:
            print(f"t = {(step + 1) * string.dt:.4f}  amplitude {amp:.6f}")
