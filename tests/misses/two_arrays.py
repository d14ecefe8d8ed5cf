from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
a = np.zeros(3)
if comm.rank == 0:
    a = np.ones(3)
comm.bcast(a)  #! JM201
print(a + 1)
