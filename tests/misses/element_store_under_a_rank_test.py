import numpy as np
from mpi4py import MPI

def mult(x, y):
    comm = MPI.COMM_WORLD
    a = np.zeros(())
    if comm.rank == 0:
        a[...] = x
    comm.bcast(a)  #! JM201
    y.scale(a)
