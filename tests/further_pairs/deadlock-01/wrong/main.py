"""Hand a running total once around a ring of ranks."""

import sys

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()
if size < 2:
    sys.exit("this program needs at least two ranks")

left = (rank - 1) % size
right = (rank + 1) % size

weights = [0.5 * (rank + 1) + 0.1 * k for k in range(8)]
local = sum(weights)

before = comm.recv(source=left, tag=3)
running = before + local
comm.send(running, dest=right, tag=3)

if rank == 0:
    print(f"total weight {running:.3f} on {size} ranks")
