"""Simulated annealing of the travelling salesman problem on several islands.

After each round two islands are drawn; the first gives its tour to the second.
"""
import argparse

import numpy as np
from mpi4py import MPI

TAG_TOUR = 4


class Island:
    def __init__(self, cities, rng, first):
        self.cities = cities
        self.rng = rng
        self.tour = np.random.default_rng(first).permutation(len(cities))
        self.length = self.measure(self.tour)

    def measure(self, tour):
        path = self.cities[tour]
        return float(np.linalg.norm(path - np.roll(path, 1, axis=0), axis=1).sum())

    def anneal(self, temperature, moves):
        n = len(self.tour)
        for _ in range(moves):
            i, j = sorted(self.rng.integers(0, n, 2))
            cand = self.tour.copy()
            cand[i:j + 1] = cand[i:j + 1][::-1]
            new = self.measure(cand)
            if new < self.length or self.rng.random() < np.exp((self.length - new) / temperature):
                self.tour, self.length = cand, new


def exchange(comm, shared, island):
    giver, taker = (int(r) for r in shared.choice(comm.size, size=2, replace=False))
    if comm.rank == giver:
        comm.send(island.tour, dest=taker, tag=TAG_TOUR)
    elif comm.rank == taker:
        tour = comm.recv(source=giver, tag=TAG_TOUR)
        length = island.measure(tour)
        if length < island.length:
            island.tour, island.length = tour, length
    return giver, taker


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--cities", type=int, default=40)
    ap.add_argument("--rounds", type=int, default=30)
    ap.add_argument("--seed", type=int, default=12)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    cities = np.random.default_rng(args.seed).random((args.cities, 2))
    shared = np.random.default_rng([args.seed, 1])
    island = Island(cities, shared, first=comm.rank)

    temperature = 0.5
    pairs = []
    for _ in range(args.rounds):
        island.anneal(temperature, 60)
        pairs.append(exchange(comm, shared, island))
        temperature *= 0.9

    best = comm.allreduce(island.length, op=MPI.MIN)
    lists = comm.gather(pairs, root=0)
    if comm.rank == 0:
        print(f"best tour {best:.4f} after {len(pairs)} exchanges")
        assert all(p == lists[0] for p in lists)


if __name__ == "__main__":
    main()
