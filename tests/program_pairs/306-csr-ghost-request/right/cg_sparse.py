"""Conjugate gradients for a sparse matrix in row blocks (scipy CSR)."""
import argparse

import numpy as np
import scipy.sparse as sp
from mpi4py import MPI


def poisson(n):
    """Five-point Laplacian on an n x n grid."""
    t = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
    return (sp.kron(sp.identity(n), t) + sp.kron(t, sp.identity(n))).tocsr()


class RowBlocks:
    """The rows of a square matrix, distributed in contiguous blocks."""

    def __init__(self, comm, matrix):
        self.comm = comm
        n = matrix.shape[0]
        self.starts = np.array([n * p // comm.size for p in range(comm.size + 1)])
        self.lo, self.hi = self.starts[comm.rank], self.starts[comm.rank + 1]
        local = matrix[self.lo:self.hi]
        columns = np.unique(local.indices)
        self.ghosts = columns[(columns < self.lo) | (columns >= self.hi)]
        self.diagonal = local[:, self.lo:self.hi]
        self.coupling = local[:, self.ghosts]
        self.plan_exchange()

    def owner(self, index):
        return np.searchsorted(self.starts, index, side="right") - 1

    def plan_exchange(self):
        """Tell each owner which of its entries this process needs."""
        owners = self.owner(self.ghosts)
        wanted = [self.ghosts[owners == p] for p in range(self.comm.size)]
        asked = self.comm.alltoall(wanted)
        self.sources = [p for p in range(self.comm.size) if (owners == p).any()]
        self.slots = {p: np.flatnonzero(owners == p) for p in self.sources}
        self.to_send = {p: idx - self.lo for p, idx in enumerate(asked) if len(idx)}

    def matvec(self, x):
        requests = [self.comm.Isend(np.ascontiguousarray(x[idx]), dest=p)
                    for p, idx in self.to_send.items()]
        y = self.diagonal @ x
        ghost_values = np.empty(len(self.ghosts))
        for p in self.sources:
            part = np.empty(len(self.slots[p]))
            self.comm.Recv(part, source=p)
            ghost_values[self.slots[p]] = part
        MPI.Request.Waitall(requests)
        return y + self.coupling @ ghost_values

    def dot(self, a, b):
        return self.comm.allreduce(float(a @ b))


def conjugate_gradients(a, b, tol, max_iter=500):
    x = np.zeros_like(b)
    r = b.copy()
    p = r.copy()
    rho = a.dot(r, r)
    for it in range(max_iter):
        q = a.matvec(p)
        alpha = rho / a.dot(p, q)
        x += alpha * p
        r -= alpha * q
        rho, old = a.dot(r, r), rho
        if rho < tol ** 2:
            return x, it + 1
        p = r + rho / old * p
    return x, max_iter


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--grid", type=int, default=24)
    parser.add_argument("--tol", type=float, default=1e-8)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    a = RowBlocks(comm, poisson(args.grid))
    b = np.ones(a.hi - a.lo)
    x, its = conjugate_gradients(a, b, args.tol)
    residual = np.sqrt(a.dot(b - a.matvec(x), b - a.matvec(x)))
    parts = comm.gather(x, root=0)
    if comm.rank == 0:
        print(f"{its} iterations, residual {residual:.2e}, largest {np.concatenate(parts).max():.6f}")


if __name__ == "__main__":
    main()
