"""The root reads a table, all ranks use it."""
import io
import numpy as np
from mpi4py import MPI
from utils import share

TEXT = "time value\n0.0 1.0\n0.5 2.5\n1.0 4.0\n"


def read(comm):
    table = None
    if comm.Get_rank() == 0:
        table = np.loadtxt(io.StringIO(TEXT))  # change
    return share(comm, table)


comm = MPI.COMM_WORLD
table = read(comm)
slope = np.polyfit(table[:, 0], table[:, 1], 1)[0]
print(comm.Get_rank(), round(slope, 3))
