"""Vibrating square membrane, explicit leapfrog scheme, rows split over ranks."""
import numpy as np
from mpi4py import MPI

NX = 48
NY = 40
STEPS = 120
COURANT = 0.5


def row_range(n, size, rank):
    base, extra = divmod(n, size)
    first = rank * base + min(rank, extra)
    return first, first + base + (1 if rank < extra else 0)


def initial_shape(first, last):
    x = np.arange(first, last)[:, None] / (NX - 1)
    y = np.arange(NY)[None, :] / (NY - 1)
    bump = np.exp(-60.0 * ((x - 0.35) ** 2 + (y - 0.5) ** 2))
    return bump * np.sin(np.pi * x) * np.sin(np.pi * y)


def step(new, cur, old, c2):
    lap = (cur[2:, 1:-1] + cur[:-2, 1:-1] + cur[1:-1, 2:] + cur[1:-1, :-2]
           - 4.0 * cur[1:-1, 1:-1])
    new[1:-1, 1:-1] = 2.0 * cur[1:-1, 1:-1] - old[1:-1, 1:-1] + c2 * lap


class Membrane:
    def __init__(self, comm):
        self.comm = comm
        rank, size = comm.Get_rank(), comm.Get_size()
        self.first, self.last = row_range(NX, size, rank)
        self.above = rank - 1 if rank > 0 else MPI.PROC_NULL
        self.below = rank + 1 if rank < size - 1 else MPI.PROC_NULL
        rows = self.last - self.first
        self.cur = np.zeros((rows + 2, NY))
        self.cur[1:-1] = initial_shape(self.first, self.last)
        self.old = self.cur.copy()
        self.new = np.zeros_like(self.cur)

    def exchange(self):
        u = self.cur
        self.comm.Sendrecv(u[1], dest=self.above, sendtag=11,
                           recvbuf=u[-1], source=self.below, recvtag=11)
        self.comm.Sendrecv(u[-1], dest=self.below, sendtag=12,
                           recvbuf=u[0], source=self.above, recvtag=12)

    def clamp_edges(self):
        if self.above == MPI.PROC_NULL:
            self.new[1] = 0.0
        if self.below == MPI.PROC_NULL:
            self.new[-2] = 0.0

    def advance(self):
        self.exchange()
        step(self.new, self.cur, self.old, COURANT ** 2)
        self.clamp_edges()
        self.old, self.cur, self.new = self.cur, self.new, self.old

    def collect(self):
        parts = self.comm.gather(self.cur[1:-1].copy(), root=0)
        return np.vstack(parts) if parts is not None else None


def serial_solution():
    cur = initial_shape(0, NX)
    old = cur.copy()
    new = np.zeros_like(cur)
    for _ in range(STEPS):
        step(new, cur, old, COURANT ** 2)
        old, cur, new = cur, new, old
        cur[0] = cur[-1] = 0.0
    return cur


def main():
    comm = MPI.COMM_WORLD
    drum = Membrane(comm)
    for _ in range(STEPS):
        drum.advance()
    field = drum.collect()
    if comm.Get_rank() == 0:
        print(f"max |u| = {np.abs(field).max():.6f}")
        print(f"difference to serial = {np.abs(field - serial_solution()).max():.3e}")


if __name__ == "__main__":
    main()
