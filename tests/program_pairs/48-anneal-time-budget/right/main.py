"""Simulated annealing with restarts from the best tour of all ranks."""
import argparse
import math
import random
import time

from mpi4py import MPI


class Deadline:
    def __init__(self, seconds):
        self.start = time.monotonic()
        self.seconds = seconds

    def passed(self):
        return time.monotonic() - self.start > self.seconds


def cities(n, seed):
    rng = random.Random(seed)
    return [(rng.random(), rng.random()) for _ in range(n)]


def length(tour, pts):
    return sum(math.dist(pts[a], pts[b]) for a, b in zip(tour, tour[1:] + tour[:1]))


def anneal(tour, pts, temp, moves, rng):
    cur = length(tour, pts)
    for _ in range(moves):
        i, j = sorted(rng.sample(range(len(tour)), 2))
        cand = tour[:i] + tour[i:j + 1][::-1] + tour[j + 1:]
        new = length(cand, pts)
        if new < cur or rng.random() < math.exp((cur - new) / temp):
            tour, cur = cand, new
    return tour, cur


def search(comm, pts, opt):
    rng = random.Random(opt.seed * 1000 + comm.rank)
    tour = list(range(len(pts)))
    rng.shuffle(tour)
    deadline = Deadline(opt.budget)
    rounds = 0
    temp = opt.temp
    while True:
        tour, cost = anneal(tour, pts, temp, opt.moves, rng)
        best, owner = comm.allreduce((cost, comm.rank), op=MPI.MINLOC)
        tour = comm.bcast(tour, root=owner)
        rounds += 1
        temp *= 0.97
        if comm.bcast(deadline.passed(), root=0):
            break
    return best, rounds


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--cities", type=int, default=40)
    ap.add_argument("--budget", type=float, default=1.5, help="seconds")
    ap.add_argument("--moves", type=int, default=40)
    ap.add_argument("--temp", type=float, default=0.3)
    ap.add_argument("--seed", type=int, default=4)
    opt = ap.parse_args()

    comm = MPI.COMM_WORLD
    pts = cities(opt.cities, seed=1)
    best, rounds = search(comm, pts, opt)
    shortest = comm.reduce(best, op=MPI.MIN, root=0)
    if comm.rank == 0:
        print(f"best tour {shortest:.3f}, stopped in time: {rounds > 0}")


if __name__ == "__main__":
    main()
