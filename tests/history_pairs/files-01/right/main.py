import os

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

os.makedirs("poisson_out", exist_ok=True)

n = 48
h = 1.0 / (n + 1)
f = np.ones(n)
u = np.zeros(n)
rows = np.arange(rank, n, size)

for _ in range(30):
    part = np.zeros(n)
    for i in rows:
        left = u[i - 1] if i > 0 else 0.0
        right = u[i + 1] if i < n - 1 else 0.0
        part[i] = 0.5 * (left + right + h * h * f[i])
    comm.Allreduce(part, u, op=MPI.SUM)

if rank == 0:
    np.save(os.path.join("poisson_out", "solution.npy"), u)
    print("saved", u.shape, "symmetric:", bool(np.allclose(u, u[::-1])))
