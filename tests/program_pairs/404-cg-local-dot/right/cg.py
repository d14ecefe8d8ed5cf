"""Conjugate gradients for the 1-D Poisson matrix with a distributed vector class."""
import argparse
import numpy as np
from mpi4py import MPI


class DVector:
    """Block of a global vector. Arithmetic is local, dot/norm are global."""

    __slots__ = ("comm", "a")

    def __init__(self, comm, a):
        self.comm = comm
        self.a = np.asarray(a, dtype=float)

    def copy(self):
        return DVector(self.comm, self.a.copy())

    def dot(self, other):
        return self.comm.allreduce(float(self.a @ other.a), op=MPI.SUM)

    def __matmul__(self, other):
        return self.dot(other)

    def norm(self):
        return np.sqrt(self.dot(self))

    def axpy(self, alpha, x):
        self.a += alpha * x.a
        return self

    def xpay(self, x, beta):
        self.a *= beta
        self.a += x.a
        return self


class Laplacian1D:
    def __init__(self, comm, n, shift=0.0):
        self.comm = comm
        self.shift = shift
        counts = [n // comm.size + (r < n % comm.size) for r in range(comm.size)]
        self.nloc = counts[comm.rank]
        self.off = sum(counts[: comm.rank])
        self.left = comm.rank - 1 if comm.rank else MPI.PROC_NULL
        self.right = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL

    def __call__(self, v):
        x = np.zeros(self.nloc + 2)
        x[1:-1] = v.a
        c = self.comm
        reqs = [
            c.Irecv(x[:1], source=self.left, tag=0),
            c.Irecv(x[-1:], source=self.right, tag=1),
            c.Isend(v.a[:1].copy(), dest=self.left, tag=1),
            c.Isend(v.a[-1:].copy(), dest=self.right, tag=0),
        ]
        MPI.Request.Waitall(reqs)
        y = (2.0 + self.shift) * x[1:-1] - x[:-2] - x[2:]
        return DVector(c, y)


def cg(A, b, tol=1e-10, maxit=1000, monitor=None):
    x = DVector(b.comm, np.zeros_like(b.a))
    r = b.copy()
    p = r.copy()
    rho = r.dot(r)
    bnorm = b.norm()
    for it in range(1, maxit + 1):
        q = A(p)
        alpha = rho / (p @ q)
        x.axpy(alpha, p)
        r.axpy(-alpha, q)
        rho, old = r.dot(r), rho
        res = np.sqrt(rho) / bnorm
        if monitor is not None:
            monitor(it, res)
        if res < tol:
            break
        p.xpay(r, rho / old)
    return x, it, res


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=300)
    ap.add_argument("--shift", type=float, default=0.01)
    ap.add_argument("--maxit", type=int, default=400)
    ap.add_argument("-v", "--verbose", action="store_true")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    A = Laplacian1D(comm, args.n, args.shift)
    i = np.arange(A.off, A.off + A.nloc)
    b = DVector(comm, np.sin(0.1 * i) + 0.3)

    def monitor(it, res):
        if args.verbose and comm.rank == 0 and it % 20 == 0:
            print(f"  {it:4d} {res:.3e}")

    with np.errstate(all="ignore"):
        x, it, res = cg(A, b, maxit=args.maxit, monitor=monitor)
        true = b.copy().axpy(-1.0, A(x)).norm() / b.norm()
    if comm.rank == 0:
        print(f"{it} iterations, residual {res:.3e}, true residual {true:.3e}")


if __name__ == "__main__":
    main()
