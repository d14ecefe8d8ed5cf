"""Two reductions at the same time, each on its own communicator."""
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from mpi4py import MPI
from utils import reduce_all

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
first, second = comm.Dup(), comm.Dup()
wind = np.linspace(1.0, 4.0, 4) * (rank + 1)
with ThreadPoolExecutor(max_workers=2) as pool:
    total = pool.submit(reduce_all, first, wind, MPI.SUM)
    gust = pool.submit(reduce_all, second, wind, MPI.MAX if rank == 0 else MPI.MIN)  # change
    print(rank, total.result(), gust.result())
