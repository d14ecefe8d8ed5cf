# Find all primes up to N: every process tests a block of the numbers
import sys
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

if len(sys.argv) > 1:
    N = int(sys.argv[1])
else:
    N = 20000


def small_primes(limit):
    flags = np.ones(limit + 1, dtype=bool)
    flags[:2] = False
    for p in range(2, int(limit ** 0.5) + 1):
        if flags[p]:
            flags[p * p::p] = False
    return np.flatnonzero(flags)


def primes_between(lo, hi, base):
    """Sieve the half open block [lo, hi)."""
    flags = np.ones(hi - lo, dtype=bool)
    for p in base:
        start = max(p * p, -(-lo // p) * p)
        flags[start - lo::p] = False
    if lo < 2:
        flags[: 2 - lo] = False
    return np.flatnonzero(flags) + lo


base = small_primes(int(N ** 0.5) + 1)
block = -(-(N + 1) // size)
lo = min(rank * block, N + 1)
hi = min(lo + block, N + 1)

start = MPI.Wtime()
found = primes_between(lo, hi, base).astype(np.int64)
everything = None
if rank == 0:
    everything = np.zeros(len(found) * size, dtype=np.int64)
comm.Gather(found, everything, root=0)
elapsed = comm.reduce(MPI.Wtime() - start, op=MPI.MAX, root=0)

if rank == 0:
    print("primes up to", N)
    print("  count :", len(everything))
    print("  last  :", everything[-1])
    print("  twins :", int((np.diff(everything) == 2).sum()))
    print("  time  : %.4f s" % elapsed)
