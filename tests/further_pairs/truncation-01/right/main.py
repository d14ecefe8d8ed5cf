import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
N_ROWS, N_COLS = 50, 8


def split_sizes(n, parts):
    return [n // parts + (1 if k < n % parts else 0) for k in range(parts)]


if comm.rank == 0:
    table = np.random.default_rng(3).normal(size=(N_ROWS, N_COLS))
    pieces = np.array_split(table, comm.size)
    for dest in range(1, comm.size):
        comm.Send(pieces[dest], dest=dest, tag=1)
    rows = pieces[0]
else:
    rows = np.empty((split_sizes(N_ROWS, comm.size)[comm.rank], N_COLS))
    comm.Recv(rows, source=0, tag=1)

moments = np.array([rows.sum(), (rows**2).sum()])
total = np.zeros(2)
comm.Reduce(moments, total, op=MPI.SUM, root=0)
if comm.rank == 0:
    mean = total[0] / (N_ROWS * N_COLS)
    print(f"mean {mean:.5f} second moment {total[1] / (N_ROWS * N_COLS):.5f}")
