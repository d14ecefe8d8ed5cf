"""Random walks for many seeds; rank 0 collects the end points."""

import numpy as np
from mpi4py import MPI

N_SEEDS = 13
TAG = 7


def walk(seed: int, steps: int = 20_000) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.choice((-1.0, 1.0), size=(steps, 3)).cumsum(axis=0)


def main():
    world = MPI.COMM_WORLD
    rank, size = world.rank, world.size
    mine = {seed: walk(seed) for seed in range(rank, N_SEEDS, size)}
    sent = []
    if rank == 0:
        found = dict(mine)
        for _ in range(N_SEEDS - len(mine)):
            seed, path = world.recv(source=MPI.ANY_SOURCE, tag=TAG)
            found[seed] = path
        spread = np.mean([np.square(found[seed][-1]).sum() for seed in sorted(found)])
        print("mean square distance", round(float(spread), 6))
    else:
        for seed, path in mine.items():
            sent.append(world.isend((seed, path), dest=0, tag=TAG))
    MPI.Request.waitall(sent)


main()
