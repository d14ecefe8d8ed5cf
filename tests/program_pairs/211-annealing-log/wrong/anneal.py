"""Travelling salesman by simulated annealing; the ranks swap their best tours."""
import math
import random

from mpi4py import MPI

CITIES = 30
ROUNDS = 12
MOVES = 800


def make_cities(seed=2):
    rng = random.Random(seed)
    return [(rng.random(), rng.random()) for _ in range(CITIES)]


def length(tour, xy):
    return sum(math.dist(xy[tour[i - 1]], xy[tour[i]]) for i in range(len(tour)))


def anneal(tour, xy, temperature, rng):
    cost = length(tour, xy)
    for _ in range(MOVES):
        i, j = sorted(rng.sample(range(len(tour)), 2))
        trial = tour[:i] + tour[i:j + 1][::-1] + tour[j + 1:]
        c = length(trial, xy)
        if c < cost or rng.random() < math.exp((cost - c) / temperature):
            tour, cost = trial, c
    return tour, cost


def log_line(log, text):
    log.write(text + "\n")
    log.flush()


def main():
    comm = MPI.COMM_WORLD
    rank = comm.rank
    xy = make_cities()
    rng = random.Random(f"anneal-{rank}")
    tour = list(range(CITIES))
    rng.shuffle(tour)

    log = open("anneal.log", "w") if rank == 0 else None

    temperature = 0.3
    for r in range(ROUNDS):
        tour, cost = anneal(tour, xy, temperature, rng)
        best, owner = comm.allreduce((cost, rank), op=MPI.MINLOC)
        tour = comm.bcast(tour, root=owner)
        log_line(log, f"round {r:2d}  T {temperature:.4f}  best {best:.5f} (rank {owner})")
        temperature *= 0.6

    if rank == 0:
        log.close()
        print(f"best tour {best:.5f} after {ROUNDS} rounds")


if __name__ == "__main__":
    main()
