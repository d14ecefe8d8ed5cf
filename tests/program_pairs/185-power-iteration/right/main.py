"""Dominant eigenvalue of a row-distributed dense matrix (power iteration)."""
import argparse
import time

import numpy as np
from mpi4py import MPI


def split_rows(n, size):
    base, extra = divmod(n, size)
    counts = [base + (1 if r < extra else 0) for r in range(size)]
    displs = [sum(counts[:r]) for r in range(size)]
    return counts, displs


def build_block(n, start, stop):
    i = np.arange(start, stop)[:, None]
    j = np.arange(n)[None, :]
    block = 1.0 / (1.0 + np.abs(i - j))
    block[np.arange(stop - start), np.arange(start, stop)] += 2.0 + i[:, 0] / n
    return block


def power_iteration(comm, block, counts, displs, tol, maxit):
    n = block.shape[1]
    lo = displs[comm.rank]
    hi = lo + counts[comm.rank]
    x = np.full(n, 1.0 / np.sqrt(n))
    y = np.empty(n)
    lam = 0.0
    for it in range(maxit):
        y_local = block @ x
        err = np.max(np.abs(y_local - lam * x[lo:hi]))
        err = comm.allreduce(err, op=MPI.MAX)
        if err < tol:
            break
        comm.Allgatherv(y_local, [y, counts, displs, MPI.DOUBLE])
        lam = np.linalg.norm(y)
        x = y / lam
    return lam, it


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=240)
    parser.add_argument("--tol", type=float, default=1e-7)
    parser.add_argument("--maxit", type=int, default=2000)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    counts, displs = split_rows(args.n, comm.size)
    lo = displs[comm.rank]
    block = build_block(args.n, lo, lo + counts[comm.rank])

    t0 = time.perf_counter()
    lam, iterations = power_iteration(comm, block, counts, displs, args.tol, args.maxit)
    elapsed = comm.reduce(time.perf_counter() - t0, op=MPI.MAX, root=0)

    if comm.rank == 0:
        print(f"lambda_max = {lam:.10f} after {iterations} iterations, {elapsed:.3f} s")


if __name__ == "__main__":
    main()
