"""Jacobi iteration with a distributed matrix."""
import numpy as np
from mpi4py import MPI
from matrix import ColumnMatrix

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
n = 6
own = slice(rank * n // size, (rank + 1) * n // size)
full = 4.0 * np.eye(n) + np.eye(n, k=1) + np.eye(n, k=-1)
a = ColumnMatrix(comm, full[:, own].copy())
x, b = np.zeros(n), np.ones(n)
for step in range(4):
    x = x + (b - a @ x[own]) / 4.0
    if rank == 0:
        residual = np.abs(b - a @ x[own]).max()  # change
        print(step, round(float(residual), 4))
print(rank, round(comm.allreduce(float(x[own].sum())), 4))
