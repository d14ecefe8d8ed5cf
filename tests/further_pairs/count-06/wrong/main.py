from mpi4py import MPI

from blocks import RowBlocks
from system import N, diagonally_dominant

comm = MPI.COMM_WORLD
blocks = RowBlocks(comm, N)

matrix, rhs = diagonally_dominant() if comm.rank == 0 else (None, None)
rows = blocks.scatter(matrix)
rhs = comm.bcast(rhs, root=0)

x = rhs * 0.0
for _ in range(60):
    x = blocks.jacobi(rows, rhs, x)
if comm.rank == 0:
    print("solution", [round(float(v), 6) for v in x[:4]])
