#!/usr/bin/env python3
# Attack tolerance of a scale-free network. Rank 0 builds the network, all ranks
# remove nodes in different random orders and record the largest component.
import random

from mpi4py import MPI

N = 400
M = 2
TRIALS = 12


def barabasi_albert(n, m, seed):
    rng = random.Random(seed)
    targets = list(range(m))
    ends = []
    adj = {v: set() for v in range(n)}
    for v in range(m, n):
        for t in set(targets):
            adj[v].add(t)
            adj[t].add(v)
            ends += [v, t]
        targets = [rng.choice(ends) for _ in range(m)]
    return adj


def largest_component(adj, alive):
    left = set(alive)
    best = 0
    while left:
        stack = [left.pop()]
        n = 1
        while stack:
            for w in adj[stack.pop()]:
                if w in left:
                    left.remove(w)
                    stack.append(w)
                    n += 1
        best = max(best, n)
    return best


def trial(adj, seed, fractions):
    rng = random.Random(seed)
    order = sorted(adj)
    rng.shuffle(order)
    return [largest_component(adj, order[int(f * len(order)):]) / len(order) for f in fractions]


comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
fractions = [0.0, 0.2, 0.4, 0.6, 0.8]

if rank == 0:
    network = barabasi_albert(N, M, seed=1)
    print("edges:", sum(len(a) for a in network.values()) // 2)
else:
    network = None
network = comm.bcast(network, root=0)

curves = [trial(network, t, fractions) for t in range(rank, TRIALS, size)]
sums = [sum(c[k] for c in curves) for k in range(len(fractions))]
everything = comm.gather(sums, root=0)

if rank == 0:
    for k, f in enumerate(fractions):
        mean = sum(s[k] for s in everything) / TRIALS
        print("removed %3.0f %%  largest component %.3f" % (100 * f, mean))
