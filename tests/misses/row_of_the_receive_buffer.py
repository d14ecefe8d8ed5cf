import numpy as np
from mpi4py import MPI
comm = MPI.COMM_WORLD
sizes = np.zeros((comm.size, 4), dtype=int)
sizes[comm.rank, :] = comm.rank
comm.Allgather(sizes[comm.rank, :], sizes)  #! JM206
