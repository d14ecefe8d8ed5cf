"""Mean profiles of wind and pressure."""
import numpy as np
from mpi4py import MPI
from utils import reduce_mean

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
mean = lambda x: reduce_mean(comm, x)
wind = np.linspace(0.0, 5.0 + rank, 8)
pressure = np.linspace(1000.0, 990.0 - rank, 8)
ground = 2 if rank == 0 else 3
lowest = comm.allreduce(ground, op=MPI.MAX)
mean_wind = mean(wind)
mean_pressure = mean(pressure[lowest:])
print(rank, mean_wind[-1], mean_pressure[-1])
