"""Mean picture of several cameras."""
import numpy as np
from mpi4py import MPI
from reducers import Mean

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
mean = Mean(comm)
picture = np.random.default_rng(rank).integers(0, 255, size=(4, 4))
if rank == 0:
    brightness = mean(picture.astype(np.float64))
    print("brightness", brightness.mean())
else:
    brightness = mean(picture)  # change
mask = brightness > brightness.mean()
print(rank, int(mask.sum()))
