"""mpirun -n 4 python cg.py [n]"""
import sys

import numpy as np
from mpi4py import MPI

from dvec import DistVector, Laplacian1D

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


def cg(A, b, tol=1e-10, maxit=2000, verbose=True):
    x = DistVector(np.zeros_like(b.data), comm)
    r = b.copy()
    p = r.copy()
    rs = r.dot(r)
    target = tol * b.norm
    for it in range(maxit):
        Ap = A @ p
        alpha = rs / p.dot(Ap)
        x.axpy(alpha, p)
        r.axpy(-alpha, Ap)
        if it % 20 == 0 and verbose:
            res = r.norm
            if rank == 0:
                print(f"  it {it:4d}  |r| = {res:.3e}", flush=True)
        rs_new = r.dot(r)
        if np.sqrt(rs_new) < target:
            break
        p.scale_add(rs_new / rs, r)
        rs = rs_new
    return x, it + 1


def main():
    n = max(int(sys.argv[1]) if len(sys.argv) > 1 else 4000, 10 * comm.Get_size())
    A = Laplacian1D(n, comm)
    i = np.arange(A.lo, A.hi)
    b = DistVector(np.sin(3 * np.pi * i / n) + 0.1 * (i % 7), comm)
    x, its = cg(A, b)
    check = (A @ x).axpy(-1.0, b).norm / b.norm
    if rank == 0:
        print(f"done after {its} iterations, relative residual {check:.2e}")
    assert check < 1e-8


if __name__ == "__main__":
    main()
