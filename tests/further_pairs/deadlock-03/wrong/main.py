"""Explicit heat equation on a line which is split over the ranks."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
left = rank - 1 if rank > 0 else MPI.PROC_NULL
right = rank + 1 if rank < size - 1 else MPI.PROC_NULL

n_local = 50
u = np.zeros(n_local + 2)
u[1:-1] = rank + np.linspace(0.0, 1.0, n_local)


def exchange(u):
    comm.Recv(u[:1], source=left, tag=0)
    comm.Recv(u[-1:], source=right, tag=1)
    comm.Send(u[-2:-1], dest=right, tag=0)
    comm.Send(u[1:2], dest=left, tag=1)


for step in range(100):
    exchange(u)
    if rank == 0:
        u[0] = 0.0
    if rank == size - 1:
        u[-1] = 0.0
    u[1:-1] += 0.25 * (u[2:] - 2.0 * u[1:-1] + u[:-2])

heat = comm.reduce(float(u[1:-1].sum()), op=MPI.SUM, root=0)
if rank == 0:
    print(f"heat left: {heat:.6f}")
