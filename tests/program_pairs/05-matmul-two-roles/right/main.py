# C = A @ B, rows of A spread over the processes
import sys
import time

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
me, nprocs = comm.Get_rank(), comm.Get_size()

N = int(sys.argv[1]) if len(sys.argv) > 1 else 120


def split_rows(a, parts):
    return np.array_split(a, parts, axis=0)


def coordinator():
    rng = np.random.default_rng(2024)
    a = rng.random((N, N))
    b = rng.random((N, N))

    t0 = time.perf_counter()
    comm.bcast(b, root=0)
    mine = comm.scatter(split_rows(a, nprocs), root=0)
    blocks = comm.gather(mine @ b, root=0)
    c = np.vstack(blocks)
    elapsed = time.perf_counter() - t0

    err = np.abs(c - a @ b).max()
    print(f"N={N} procs={nprocs} time={elapsed:.3f}s max error={err:.1e}")


def helper():
    b = comm.bcast(None, root=0)
    rows = comm.scatter(None, root=0)
    comm.gather(rows @ b, root=0)


if me == 0:
    coordinator()
else:
    helper()
