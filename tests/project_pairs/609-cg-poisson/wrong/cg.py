from time import perf_counter
import numpy as np
import scipy.sparse as sp
from mpi4py import MPI


class RowPartition:
    """Contiguous block of rows of a square operator."""

    def __init__(self, n, comm):
        self.comm = comm
        self.n = n
        cuts = np.linspace(0, n, comm.size + 1).astype(int)
        self.counts = np.diff(cuts)
        self.displs = cuts[:-1]
        self.lo, self.hi = cuts[comm.rank], cuts[comm.rank + 1]

    def dot(self, a, b):
        return self.comm.allreduce(float(np.dot(a, b)), op=MPI.SUM)

    def norm(self, a):
        return np.sqrt(self.dot(a, a))


class DistMatrix:
    def __init__(self, part, local_rows):
        self.part = part
        self.local = local_rows.tocsr()
        self._full = np.empty(part.n)

    @classmethod
    def poisson2d(cls, m, comm):
        one_d = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(m, m))
        eye = sp.identity(m)
        a = (sp.kron(one_d, eye) + sp.kron(eye, one_d)).tocsr()
        part = RowPartition(m * m, comm)
        return cls(part, a[part.lo:part.hi])

    def __matmul__(self, x):
        p = self.part
        p.comm.Allgatherv(x, [self._full, p.counts, p.displs, MPI.DOUBLE])
        return self.local @ self._full

    def diagonal(self):
        rows = np.arange(self.part.hi - self.part.lo)
        return np.asarray(self.local[rows, rows + self.part.lo]).ravel()


def pcg(A, b, rtol=1e-8, maxiter=1000, monitor=None):
    """Jacobi preconditioned conjugate gradients."""
    part = A.part
    inv_diag = 1.0 / A.diagonal()
    x = np.zeros_like(b)
    r = b.copy()
    z = inv_diag * r
    p = z.copy()
    rz = part.dot(r, z)
    target = rtol * part.norm(b)

    for k in range(1, maxiter + 1):
        q = A @ p
        alpha = rz / np.dot(p, q)
        x += alpha * p
        r -= alpha * q
        res = part.norm(r)
        if monitor is not None:
            monitor(k, res)
        if res <= target:
            return x, k
        z = inv_diag * r
        rz_new = part.dot(r, z)
        p = z + (rz_new / rz) * p
        rz = rz_new
    return x, -maxiter


def run(m=40):
    comm = MPI.COMM_WORLD

    def monitor(k, res):
        if comm.rank == 0 and k % 25 == 0:
            print(f"    it {k:4d}   ||r|| = {res:.4e}", flush=True)

    A = DistMatrix.poisson2d(m, comm)
    grid = np.linspace(0, 1, m + 2)[1:-1]
    source = np.outer(np.sin(np.pi * grid), np.exp(grid)).ravel()
    b = source[A.part.lo:A.part.hi].copy()

    t = perf_counter()
    x, its = pcg(A, b, monitor=monitor)
    t = perf_counter() - t

    true_res = A.part.norm(b - A @ x)
    if comm.rank == 0:
        state = "converged" if its > 0 else "NOT converged"
        print(f"{state} after {abs(its)} iterations, true residual {true_res:.3e}, {t:.2f} s")


if __name__ == "__main__":
    run()
