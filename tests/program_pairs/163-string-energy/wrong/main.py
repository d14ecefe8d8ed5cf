"""Waves on a damped string with fixed ends.

The string is split over the processes; each block has one ghost cell on both sides.
At the ends of the string the ghost cell stays zero (fixed end).
"""
import numpy as np
from mpi4py import MPI


class Block:
    def __init__(self, comm, cells, length=1.0):
        self.comm = comm
        self.dx = length / (cells + 1)
        lo = cells * comm.rank // comm.size
        hi = cells * (comm.rank + 1) // comm.size
        self.left = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.right = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
        x = self.dx * (np.arange(lo, hi) + 1)
        self.u = np.zeros(hi - lo + 2)
        self.v = np.zeros(hi - lo + 2)
        self.u[1:-1] = np.exp(-200 * (x - 0.3) ** 2)
        self.exchange(self.u)

    def exchange(self, a):
        c = self.comm
        c.Sendrecv(a[1:2], dest=self.left, sendtag=1, recvbuf=a[-1:], source=self.right, recvtag=1)
        c.Sendrecv(a[-2:-1], dest=self.right, sendtag=2, recvbuf=a[:1], source=self.left, recvtag=2)

    def laplacian(self):
        u = self.u
        return (u[:-2] - 2 * u[1:-1] + u[2:]) / self.dx**2

    def step(self, dt, c2=1.0, damping=0.2):
        self.v[1:-1] += dt * (c2 * self.laplacian() - damping * self.v[1:-1])
        self.u[1:-1] += dt * self.v[1:-1]
        self.exchange(self.u)
        self.exchange(self.v)

    def energy(self):
        """Kinetic plus elastic energy; a link belongs to the cell on its right side."""
        kinetic = 0.5 * np.sum(self.v**2)
        stretch = np.diff(self.u[:-1])
        elastic = 0.5 * np.sum((stretch / self.dx) ** 2)
        if self.right == MPI.PROC_NULL:
            elastic += 0.5 * (self.u[-2] / self.dx) ** 2
        return self.comm.allreduce((kinetic + elastic) * self.dx)


def history(block, steps, dt, every):
    for n in range(steps):
        if n % every == 0:
            yield n * dt, block.energy()
        block.step(dt)
    yield steps * dt, block.energy()


def main():
    comm = MPI.COMM_WORLD
    block = Block(comm, 199)
    rows = list(history(block, steps=2000, dt=0.002, every=400))
    peak = comm.allreduce(float(np.abs(block.u[1:-1]).max()), op=MPI.MAX)
    if comm.rank == 0:
        print("# time   energy   E/E0")
        for t, e in rows:
            print(f"{t:6.2f} {e:12.6f} {e / rows[0][1]:9.6f}")
        print(f"# largest amplitude {peak:.6f}")


if __name__ == "__main__":
    main()
