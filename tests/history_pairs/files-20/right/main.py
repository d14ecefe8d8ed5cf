import os

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
N = 90
path = os.path.join("bigdata", "distances.npy")

points = np.random.default_rng(5).random((N, 2))

if rank == 0:
    os.makedirs("bigdata", exist_ok=True)
    table = np.lib.format.open_memmap(path, mode="w+", dtype=np.float64, shape=(N, N))
    table[:] = -1.0
    table.flush()
    del table
comm.Barrier()

table = np.lib.format.open_memmap(path, mode="r+")
for row in range(rank, N, size):
    table[row] = np.sqrt(((points - points[row]) ** 2).sum(axis=1))
table.flush()
del table
comm.Barrier()

if rank == 0:
    whole = np.load(path)
    print("all rows filled:", bool((whole >= 0).all()))
    print("symmetric:", bool(np.allclose(whole, whole.T)))
