"""Simulated annealing for a travelling salesman, islands exchange the best tour."""
import argparse
import math
import random
import time

from mpi4py import MPI


class Annealer:
    def __init__(self, cities, rng, t0=1.0):
        self.cities = cities
        self.rng = rng
        self.temp = t0
        self.tour = list(range(len(cities)))
        rng.shuffle(self.tour)
        self.length = self.measure(self.tour)

    def dist(self, a, b):
        (x1, y1), (x2, y2) = self.cities[a], self.cities[b]
        return math.hypot(x1 - x2, y1 - y2)

    def measure(self, tour):
        return sum(self.dist(tour[i - 1], tour[i]) for i in range(len(tour)))

    def sweep(self, moves):
        n = len(self.tour)
        for _ in range(moves):
            i, j = sorted(self.rng.sample(range(1, n), 2))
            t = self.tour
            nxt = t[(j + 1) % n]
            delta = (self.dist(t[i - 1], t[j]) + self.dist(t[i], nxt)
                     - self.dist(t[i - 1], t[i]) - self.dist(t[j], nxt))
            if delta < 0 or self.rng.random() < math.exp(-delta / self.temp):
                t[i:j + 1] = reversed(t[i:j + 1])
                self.length += delta
        self.temp *= 0.97

    def adopt(self, length, tour):
        self.length, self.tour = length, list(tour)


def migrate(comm, annealer):
    length, owner = comm.allreduce((annealer.length, comm.rank), op=MPI.MINLOC)
    best = comm.bcast(annealer.tour, root=owner)
    if annealer.length > 1.1 * length:
        annealer.adopt(length, best)
    return length


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cities", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--moves", type=int, default=300)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    rng = random.Random(99)
    cities = [(rng.random(), rng.random()) for _ in range(args.cities)]
    annealer = Annealer(cities, random.Random(1000 + comm.rank))

    best = annealer.length
    rounds = 0
    start = time.time()
    running = True
    while running:
        annealer.sweep(args.moves)
        best = min(best, migrate(comm, annealer))
        rounds += 1
        running = comm.bcast(time.time() - start < args.seconds, root=0)

    if comm.rank == 0:
        print(f"{rounds} rounds on {comm.size} islands, best length {best:.4f}")


if __name__ == "__main__":
    main()
