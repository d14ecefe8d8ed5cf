import numpy as np
from mpi4py import MPI


def fitness(genome):
    return float(-((genome - 0.3) ** 2).sum())


def evolve(genome, rng, scale):
    best, score = genome, fitness(genome)
    for _ in range(20):
        child = genome + scale * rng.normal(size=genome.shape)
        if fitness(child) > score:
            best, score = child, fitness(child)
    return best, score


def next_generation(comm, genome, rng, scale):
    candidate = evolve(genome, rng, scale)
    candidates = comm.gather(candidate, root=0)
    if comm.rank == 0:
        winner = max(candidates, key=lambda pair: pair[1])
    return comm.bcast(winner, root=0)


comm = MPI.COMM_WORLD
rng = np.random.default_rng(70 + comm.rank)
genome = np.zeros(5)
for generation in range(15):
    genome, score = next_generation(comm, genome, rng, 0.2 / (1 + generation))

scores = comm.gather(score, root=0)
if comm.rank == 0:
    print("all ranks agree:", len(set(scores)) == 1)
    print("near the optimum:", score > -0.05)
