import numpy as np
from mpi4py import MPI


class RowLayout:
    """How the rows of an (nrows, ncols) matrix are dealt to the ranks."""

    def __init__(self, comm, nrows, ncols):
        self.comm = comm
        self.nrows, self.ncols = nrows, ncols
        q, r = divmod(nrows, comm.size)
        self.rows = np.array([q + 1 if i < r else q for i in range(comm.size)])
        self.first = np.concatenate([[0], np.cumsum(self.rows)[:-1]])

    @property
    def mine(self):
        return int(self.rows[self.comm.rank])

    def scatter(self, matrix):
        block = np.zeros((self.mine, self.ncols))
        spec = None
        if self.comm.rank == 0:
            spec = [matrix, self.rows * self.ncols, self.first * self.ncols,
                    MPI.DOUBLE]
        self.comm.Scatterv(spec, block, root=0)
        return block

    def collect(self, piece):
        full = np.zeros(self.nrows) if self.comm.rank == 0 else None
        recv = [full, self.rows, self.first, MPI.DOUBLE] if self.comm.rank == 0 else None
        self.comm.Gatherv(piece, recv, root=0)
        return full


def laplacian(n):
    a = np.zeros((n, n))
    i = np.arange(n)
    a[i, i] = 2.0
    a[i[:-1], i[1:]] = a[i[1:], i[:-1]] = -1.0
    return a


def power_iteration(layout, block, iters):
    comm = layout.comm
    n = layout.ncols
    x = np.ones(n) + 0.1 * np.arange(n) % 3
    lam = 0.0
    for _ in range(iters):
        y = layout.collect(block @ x)
        if comm.rank == 0:
            lam = float(x @ y / (x @ x))
            y /= np.linalg.norm(y)
        x = comm.bcast(y, root=0)
    return lam


def main():
    comm = MPI.COMM_WORLD
    n = 90
    layout = RowLayout(comm, n, n)
    a = laplacian(n) if comm.rank == 0 else None
    lam = power_iteration(layout, layout.scatter(a), 400)
    if comm.rank == 0:
        exact = 2.0 - 2.0 * np.cos(np.pi * n / (n + 1))
        print(f"largest eigenvalue {lam:.6f} (exact {exact:.6f})")


if __name__ == "__main__":
    main()
