import os

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()
source_map = os.path.join("maps", "source.npy")


def synthetic_sky(n=3000):
    rng = np.random.default_rng(99)
    return rng.normal(scale=1e-5, size=n)


def own_weights(n):
    phase = 2.0 * np.pi * (np.arange(n) + rank) / n
    return 1.0 + 0.1 * np.cos(phase)


if rank == 0:
    os.makedirs("maps", exist_ok=True)
    np.save(source_map, synthetic_sky())
request = comm.Ibarrier()

weights = own_weights(3000)
request.Wait()
sky = np.load(source_map)
chi2 = float(((sky * weights)[rank::size] ** 2).sum() * 1e10)

total = comm.reduce(chi2, op=MPI.SUM, root=0)
if rank == 0:
    print("per pixel near one:", 0.8 < total / 3000 < 1.2)
