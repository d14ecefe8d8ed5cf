import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.rank
reporter = 0

rng = np.random.default_rng(300 + rank)
walkers = rng.normal(size=(40, 3))


def move(walkers, step):
    trial = walkers + step * rng.normal(size=walkers.shape)
    ratio = np.exp(-2.0 * ((trial ** 2).sum(axis=1) - (walkers ** 2).sum(axis=1)))
    accept = rng.random(len(walkers)) < ratio
    return np.where(accept[:, None], trial, walkers), int(accept.sum())


if rank == 0:
    energies = []

accepted = 0
for block in range(25):
    walkers, hits = move(walkers, 0.5)
    accepted += hits
    local = float((walkers ** 2).sum(axis=1).mean())
    block_energy = comm.reduce(local, op=MPI.SUM, root=0)
    if rank == 0:
        energies.append(block_energy / comm.size)

rate = comm.allreduce(accepted) / (25 * 40 * comm.size)
if rank == reporter:
    print(f"blocks {len(energies)}, sane mean {0.2 < np.mean(energies[5:]) < 1.5}")
    print("acceptance in range:", 0.1 < rate < 0.9)
