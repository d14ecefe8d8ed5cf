"""Every rank computes some rows, the first one writes them."""
import numpy as np
from mpi4py import MPI
from utils import collect

ROWS = 11
comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
shares = [ROWS // size + (k < ROWS % size) for k in range(size)]
first = sum(shares[:rank])
rows = np.sqrt(np.arange(first, first + shares[rank], dtype=float))
table = collect(comm, rows, [ROWS // size] * size)  # change
if rank == 0:
    print(len(table), table.round(3))
