import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
if world.size < 2:
    raise SystemExit("needs at least two ranks")

# the last rank keeps the log, the others compute
computes = world.rank < world.size - 1
color = 0 if computes else MPI.UNDEFINED
workers = world.Split(color, key=world.rank)

rng = np.random.default_rng(world.rank)
inside = 0
if computes:
    xy = rng.random((20_000, 2))
    inside = int(np.count_nonzero((xy**2).sum(axis=1) < 1.0))

hits = 0
if computes:
    hits = workers.allreduce(inside, op=MPI.SUM)
    workers.Free()

all_hits = world.gather(hits, root=world.size - 1)
if world.rank == world.size - 1:
    pi = 4.0 * all_hits[0] / (20_000 * (world.size - 1))
    print(f"pi = {pi:.5f}")
