"""Compute and write a table in timed sections."""
import numpy as np
from mpi4py import MPI
from sections import Section

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
with Section(comm, "compute"):
    table = np.outer(np.arange(5.0) + rank, np.arange(5.0))
total = np.zeros_like(table)
comm.Reduce(table, total, op=MPI.SUM, root=0)
if rank == 0:
    with Section(comm, "write"):  # change
        print(total.sum())
highest = comm.allreduce(float(table.max()), op=MPI.MAX)
print(rank, highest)
