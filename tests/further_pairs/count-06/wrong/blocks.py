import numpy as np
from mpi4py import MPI


class RowBlocks:
    def __init__(self, comm, n):
        self.comm = comm
        self.n = n
        self.rows = [n // comm.size + (r < n % comm.size) for r in range(comm.size)]
        self.start = [sum(self.rows[:r]) for r in range(comm.size)]

    def scatter(self, matrix):
        mine = np.empty((self.n // self.comm.size, self.n))
        counts = [r * self.n for r in self.rows]
        displs = [s * self.n for s in self.start]
        self.comm.Scatterv([matrix, counts, displs, MPI.DOUBLE], mine, root=0)
        return mine

    def jacobi(self, rows, rhs, x):
        first = self.start[self.comm.rank]
        here = slice(first, first + len(rows))
        diagonal = rows[np.arange(len(rows)), np.arange(first, first + len(rows))]
        new = (rhs[here] - rows @ x + diagonal * x[here]) / diagonal
        return np.concatenate(self.comm.allgather(new))
