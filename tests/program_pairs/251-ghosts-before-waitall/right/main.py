import numpy as np
from mpi4py import MPI


class HeatSlab:
    """Explicit heat equation; slabs of rows, one ghost row on each side."""

    def __init__(self, comm, rows, cols):
        self.comm = comm
        self.lo = comm.rank - 1 if comm.rank else MPI.PROC_NULL
        self.hi = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
        self.u = np.zeros((rows + 2, cols))
        if comm.rank == 0:
            self.u[1] = 100.0
        self.new = self.u.copy()
        self.requests = []

    def start_exchange(self):
        c, u = self.comm, self.u
        self.requests = [
            c.Irecv(u[0], source=self.lo, tag=1),
            c.Irecv(u[-1], source=self.hi, tag=2),
            c.Isend(u[1], dest=self.lo, tag=2),
            c.Isend(u[-2], dest=self.hi, tag=1),
        ]

    def update(self, a, b):
        """New values for the rows a .. b-1."""
        u = self.u
        self.new[a:b] = u[a:b] + 0.2 * (u[a - 1:b - 1] - 2 * u[a:b] + u[a + 1:b + 1])

    def step(self):
        n = self.u.shape[0]
        self.start_exchange()
        self.update(2, n - 2)
        MPI.Request.Waitall(self.requests)
        self.update(1, 2)
        self.update(n - 2, n - 1)
        if self.comm.rank == 0:
            self.new[1] = 100.0
        if self.comm.rank == self.comm.size - 1:
            self.new[-2] = 0.0
        self.u, self.new = self.new, self.u


def serial(rows, steps):
    u = np.zeros(rows)
    u[0] = 100.0
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.2 * (u[:-2] - 2 * u[1:-1] + u[2:])
    return u


def main(rows=6, cols=50_000, steps=60):
    comm = MPI.COMM_WORLD
    slab = HeatSlab(comm, rows, cols)
    for _ in range(steps):
        slab.step()
    parts = comm.gather(slab.u[1:-1, 0].copy(), root=0)
    if comm.rank == 0:
        err = np.abs(np.concatenate(parts) - serial(rows * comm.size, steps)).max()
        print(f"difference to serial run: {err:.3e}")
        assert err < 1e-9


main()
