# Counting primes up to N with several processes
from math import isqrt

import numpy as np
from mpi4py import MPI

N = 200000


def small_primes(limit):
    sieve = np.ones(limit + 1, dtype=bool)
    sieve[:2] = False
    for i in range(2, isqrt(limit) + 1):
        if sieve[i]:
            sieve[i * i::i] = False
    return np.flatnonzero(sieve)


def block(rank, size):
    """Numbers lo .. hi-1 are tested by this rank."""
    lo = 2 + rank * (N - 1) // size
    hi = 2 + (rank + 1) * (N - 1) // size
    return lo, hi


def count_primes(lo, hi, base):
    numbers = np.arange(lo, hi)
    composite = np.zeros(len(numbers), dtype=bool)
    for p in base:
        composite |= (numbers % p == 0) & (numbers > p)
    return int((~composite).sum())


comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

# rank 0 finds the primes up to sqrt(N), the others get them
if rank == 0:
    base = small_primes(isqrt(N))
    how_many = len(base)
else:
    how_many = None
how_many = comm.bcast(how_many, root=0)
if rank != 0:
    base = np.empty(how_many, dtype=np.int64)
comm.Bcast(base, root=0)

lo, hi = block(rank, size)
mine = count_primes(lo, hi, base)
total = comm.reduce(mine, op=MPI.SUM, root=0)

if rank == 0:
    print("base primes:", how_many)
    print("primes up to", N, ":", total)
