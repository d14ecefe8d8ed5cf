from mpi4py import MPI
import numpy as np
def solve(comm, x, work):
    try:
        for k in range(10):
            x = work(x)
            comm.Allreduce(MPI.IN_PLACE, x)
    except KeyboardInterrupt:
        comm.Bcast(x, root=0)  #! JM106
    return x
