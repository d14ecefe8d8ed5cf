import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

n_rows = 2 if size % 2 == 0 else 1
row, column = rank % n_rows, rank // n_rows
row_comm = comm.Split(color=row, key=column)

a = np.random.default_rng(rank).random((8, 8)) + 8.0 * np.eye(8)
x = np.ones(8)

for sweep in range(10):
    partial = a @ x
    y = np.empty(8)
    row_comm.Allreduce(partial, y, op=MPI.SUM)
    x = y / np.linalg.norm(y)
row_comm.Free()

overlap = row_comm.allreduce(float(x @ a @ x), op=MPI.SUM)
estimates = comm.gather(overlap, root=0)
if rank == 0:
    print("eigenvalue estimates", [round(e, 5) for e in estimates[:n_rows]])
