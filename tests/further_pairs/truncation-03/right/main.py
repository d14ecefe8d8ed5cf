import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
me, n_ranks = world.rank, world.size
if n_ranks < 2:
    raise SystemExit("run with at least 2 ranks")

DIM = 6


def covariance(seed, samples=300):
    x = np.random.default_rng(seed).normal(size=(samples, DIM))
    return x.T @ x / samples


mine = covariance(me)
if me == 0:
    total = mine.copy()
    part = np.empty((DIM, DIM))
    for source in range(1, n_ranks):
        world.Recv(part, source=source, tag=13)
        total += part
    total /= n_ranks
    print("trace", round(float(np.trace(total)), 5))
else:
    world.Send(mine, dest=0, tag=13)
