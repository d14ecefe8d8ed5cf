import numpy as np
from mpi4py import MPI

from moments import global_mean

comm = MPI.COMM_WORLD
rng = np.random.default_rng(comm.rank + 12)
temperatures = rng.normal(loc=285.0, scale=4.0, size=300)

mean = global_mean(comm, temperatures)
anomaly = temperatures - comm.allreduce(mean, op=MPI.SUM)
spread = np.sqrt(global_mean(comm, anomaly ** 2))
warm = comm.reduce(int((anomaly > 0).sum()), op=MPI.SUM, root=0)
if comm.rank == 0:
    share = warm / (300 * comm.size)
    print(f"spread {spread:.2f}")
    print("about half is warm:", 0.4 < share < 0.6)
