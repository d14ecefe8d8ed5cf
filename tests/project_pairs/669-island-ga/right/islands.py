"""Genetic algorithm with islands: one population per process, the best
individuals move to the next island every few generations.

Knapsack problem; stops when nothing has improved for a while.
"""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

N_ITEMS = 60
POP = 40
GENERATIONS = 400
MIGRATE_EVERY = 5
N_MIGRANTS = 3
PATIENCE = 40

items = np.random.RandomState(99)
weight = items.randint(5, 50, N_ITEMS)
value = items.randint(10, 100, N_ITEMS)
capacity = weight.sum() // 3

rng = np.random.RandomState(1000 + rank)


def fitness(pop):
    w = pop @ weight
    v = (pop @ value).astype(float)
    over = w > capacity
    v[over] -= 20.0 * (w[over] - capacity)
    return v


def tournament(fit):
    a = rng.randint(0, POP, POP)
    b = rng.randint(0, POP, POP)
    return np.where(fit[a] > fit[b], a, b)


def next_generation(pop, fit):
    mothers = pop[tournament(fit)]
    fathers = pop[tournament(fit)]
    mask = rng.rand(POP, N_ITEMS) < 0.5
    children = np.where(mask, mothers, fathers)
    flip = rng.rand(POP, N_ITEMS) < 1.5 / N_ITEMS
    children = children ^ flip
    children[0] = pop[fit.argmax()]          # elitism
    return children


def migrate(pop, fit):
    order = np.argsort(fit)
    emigrants = pop[order[-N_MIGRANTS:]].copy()
    immigrants = comm.sendrecv(emigrants, dest=(rank + 1) % size,
                               source=(rank - 1) % size)
    pop[order[:N_MIGRANTS]] = immigrants


pop = rng.rand(POP, N_ITEMS) < 0.2
best = -np.inf
since = 0

for gen in range(GENERATIONS):
    fit = fitness(pop)
    if gen % MIGRATE_EVERY == 0:
        migrate(pop, fit)
        fit = fitness(pop)

    if fit.max() > best:
        best = fit.max()
        since = 0
    else:
        since += 1
    if comm.allreduce(since, op=MPI.MIN) > PATIENCE:
        break

    pop = next_generation(pop, fit)

fit = fitness(pop)
champion = pop[fit.argmax()]
every = comm.gather((float(fit.max()), gen, champion), root=0)
if rank == 0:
    for r, (f, g, c) in enumerate(every):
        print("island %d: best %6.1f after %d generations" % (r, f, g))
    f, g, c = max(every, key=lambda t: t[0])
    print("best value %d, weight %d of %d" % (c @ value, c @ weight, capacity))
