"""Heat equation in 2-D with communication overlapped by the inner update."""
import numpy as np
from mpi4py import MPI


class HeatSolver:
    def __init__(self, comm, n, alpha=0.2):
        self.comm = comm
        self.n = n
        self.alpha = alpha
        self.rows = n // comm.size
        self.u = np.zeros((self.rows + 2, n))
        self.new = np.zeros_like(self.u)
        i0 = comm.rank * self.rows
        ii = np.arange(i0, i0 + self.rows)[:, None]
        jj = np.arange(n)[None, :]
        self.u[1:-1] = np.exp(-((ii - 0.45 * n) ** 2 + (jj - 0.5 * n) ** 2) / (0.02 * n * n))
        self.north = comm.rank - 1 if comm.rank else MPI.PROC_NULL
        self.south = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL

    def start_exchange(self):
        u, comm = self.u, self.comm
        return [comm.Irecv(u[0], source=self.north, tag=0),
                comm.Irecv(u[-1], source=self.south, tag=1),
                comm.Isend(u[-2], dest=self.south, tag=0),
                comm.Isend(u[1], dest=self.north, tag=1)]

    def update(self, lo, hi):
        u, new = self.u, self.new
        c = u[lo:hi, 1:-1]
        new[lo:hi, 1:-1] = c + self.alpha * (
            u[lo - 1:hi - 1, 1:-1] + u[lo + 1:hi + 1, 1:-1]
            + u[lo:hi, :-2] + u[lo:hi, 2:] - 4 * c)

    def step(self):
        requests = self.start_exchange()
        self.update(2, self.rows)
        self.update(1, 2)
        self.update(self.rows, self.rows + 1)
        MPI.Request.Waitall(requests)
        self.u, self.new = self.new, self.u

    def gather(self):
        full = np.empty((self.rows * self.comm.size, self.n)) if self.comm.rank == 0 else None
        self.comm.Gather(np.ascontiguousarray(self.u[1:-1]), full, root=0)
        return full


def serial(n, steps, alpha=0.2):
    solver = HeatSolver(MPI.COMM_SELF, n, alpha)
    for _ in range(steps):
        solver.step()
    return solver.u[1:-1]


def main():
    comm = MPI.COMM_WORLD
    n, steps = 240, 150
    solver = HeatSolver(comm, n)
    for _ in range(steps):
        solver.step()
    field = solver.gather()
    if comm.rank == 0:
        print("heat %.6f" % field.sum())
        print("difference from serial %.3e" % np.abs(field - serial(n, steps)).max())


main()
