"""Rank the fields by their largest value."""
import numpy as np
from mpi4py import MPI
from utils import reduce_max

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
fields = {"u": np.arange(3.0) + rank, "v": np.arange(4.0), "w": np.ones(2)}
if rank == 1:
    fields["height"] = np.zeros(5)
known = ("u", "v", "w")
order = sorted(fields, key=lambda name: reduce_max(comm, fields[name]))  # change
orders = comm.gather(order, root=0)
if rank == 0:
    print(orders)
