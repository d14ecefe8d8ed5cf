"""C = A B on a square grid of processes (SUMMA).

mpirun -n 4 python main.py
"""
from math import isqrt

import numpy as np
from mpi4py import MPI

BLOCK = 32


def make_block(name, i, j):
    """Block (i, j) of one of the two input matrices."""
    seed = {"A": 1, "B": 2}[name]
    return np.random.default_rng([seed, i, j]).random((BLOCK, BLOCK))


def summa(a, b, row_comm, col_comm, q):
    my_row, my_col = col_comm.Get_rank(), row_comm.Get_rank()
    c = np.zeros((BLOCK, BLOCK))
    for k in range(q):
        a_k = a.copy() if my_col == k else np.empty_like(a)
        b_k = b.copy() if my_row == k else np.empty_like(b)
        row_comm.Bcast(a_k, root=my_row * q + k)
        col_comm.Bcast(b_k, root=k * q + my_col)
        c += a_k @ b_k
    return c


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    q = isqrt(size)
    if q * q != size:
        if rank == 0:
            print("please start 1, 4, 9, ... processes")
        return

    i, j = divmod(rank, q)
    row_comm = comm.Split(color=i, key=j)
    col_comm = comm.Split(color=j, key=i)

    a = make_block("A", i, j)
    b = make_block("B", i, j)
    c = summa(a, b, row_comm, col_comm, q)

    parts = comm.gather(c, root=0)
    if rank == 0:
        full = np.block([[parts[r * q + s] for s in range(q)] for r in range(q)])
        big_a = np.block([[make_block("A", r, s) for s in range(q)] for r in range(q)])
        big_b = np.block([[make_block("B", r, s) for s in range(q)] for r in range(q)])
        print("largest difference:", np.abs(full - big_a @ big_b).max())
    row_comm.Free()
    col_comm.Free()


if __name__ == "__main__":
    main()
