"""Distributed A^T y for a tall least squares problem.

Each rank holds some measurements (rows of A); the result vector is kept
distributed by unknowns.
"""
import numpy as np
from mpi4py import MPI

N_UNKNOWNS = 200
ROWS_PER_RANK = 350


def share(n, size, rank):
    base, extra = divmod(n, size)
    return base + (1 if rank < extra else 0)


class Distributed:
    def __init__(self, comm, n):
        self.comm = comm
        self.n = n
        self.n_local = share(n, comm.size, comm.rank)
        self.offset = sum(share(n, comm.size, r) for r in range(comm.rank))

    def reduce_scatter(self, full):
        """Sum the full-length vectors of all ranks, keep only the own part."""
        part = np.zeros(self.n_local)
        counts = [self.n_local] * self.comm.size
        self.comm.Reduce_scatter(full, part, recvcounts=counts, op=MPI.SUM)
        return part

    def dot(self, a, b):
        return self.comm.allreduce(float(a @ b))

    def full(self, part):
        return np.concatenate(self.comm.allgather(part))


def measurements(comm):
    rng = np.random.default_rng(comm.rank + 17)
    a = rng.normal(size=(ROWS_PER_RANK, N_UNKNOWNS)) / np.sqrt(ROWS_PER_RANK)
    truth = np.cos(np.arange(N_UNKNOWNS) / 9.0)
    return a, a @ truth, truth


def solve(comm, iterations=60):
    a, y, truth = measurements(comm)
    space = Distributed(comm, N_UNKNOWNS)
    r = space.reduce_scatter(a.T @ y)
    x = np.zeros_like(r)
    p = r.copy()
    rr = space.dot(r, r)
    for _ in range(iterations):
        ap = space.reduce_scatter(a.T @ (a @ space.full(p)))
        alpha = rr / space.dot(p, ap)
        x += alpha * p
        r -= alpha * ap
        rr_new = space.dot(r, r)
        if rr_new < 1e-20:
            break
        p = r + (rr_new / rr) * p
        rr = rr_new
    return np.abs(space.full(x) - truth).max()


if __name__ == "__main__":
    comm = MPI.COMM_WORLD
    error = solve(comm)
    if comm.rank == 0:
        print(f"largest error of the solution {error:.2e}")
        assert error < 1e-6
