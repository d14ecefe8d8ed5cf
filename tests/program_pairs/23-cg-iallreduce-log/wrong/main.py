"""Conjugate gradients on a distributed diagonal-plus-coupling operator."""
import argparse

import numpy as np
from mpi4py import MPI


class Operator:
    """(A x)_i = d_i x_i - 0.4 (x_{i-1} + x_{i+1}), zero outside."""

    def __init__(self, comm, n):
        self.comm = comm
        lo, hi = n * comm.rank // comm.size, n * (comm.rank + 1) // comm.size
        self.diag = 1.0 + 0.5 * np.cos(np.arange(lo, hi)) ** 2
        self.n_local = hi - lo

    def __call__(self, x):
        c = self.comm
        left = c.rank - 1 if c.rank > 0 else MPI.PROC_NULL
        right = c.rank + 1 if c.rank < c.size - 1 else MPI.PROC_NULL
        ext = np.zeros(self.n_local + 2)
        ext[1:-1] = x
        c.Sendrecv(x[:1], left, 1, ext[-1:], right, 1)
        c.Sendrecv(x[-1:], right, 2, ext[:1], left, 2)
        return self.diag * x - 0.4 * (ext[:-2] + ext[2:])


def dot(comm, a, b):
    return comm.allreduce(float(a @ b), op=MPI.SUM)


def cg(op, b, tol, max_iter, log_every, say):
    comm = op.comm
    x = np.zeros_like(b)
    r = b.copy()
    p = r.copy()
    rr_old = dot(comm, r, r)
    rr_local, rr = np.zeros(1), np.zeros(1)
    for k in range(1, max_iter + 1):
        ap = op(p)
        alpha = rr_old / dot(comm, p, ap)
        r -= alpha * ap
        rr_local[0] = r @ r
        req = comm.Iallreduce(rr_local, rr, op=MPI.SUM)
        x += alpha * p
        if k % log_every == 0:
            req.Wait()
            say(f"  iter {k:4d}  |r| = {np.sqrt(rr[0]):.3e}")
        if rr[0] < tol ** 2:
            break
        p = r + (rr[0] / rr_old) * p
        rr_old = float(rr[0])
    return x, k


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-n", type=int, default=4000)
    ap.add_argument("--tol", type=float, default=1e-8)
    a = ap.parse_args()
    comm = MPI.COMM_WORLD
    say = print if comm.rank == 0 else (lambda *_: None)
    op = Operator(comm, a.n)
    b = np.ones(op.n_local)
    x, k = cg(op, b, a.tol, 300, 20, say)
    res = b - op(x)
    norm = np.sqrt(dot(comm, res, res))
    say(f"stopped after {k} iterations, true residual {norm:.2e}")


if __name__ == "__main__":
    main()
