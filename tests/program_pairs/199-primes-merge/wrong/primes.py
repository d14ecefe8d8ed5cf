import glob
import os
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

LIMIT = 200000


def is_prime(n):
    if n < 2:
        return False
    if n % 2 == 0:
        return n == 2
    d = 3
    while d * d <= n:
        if n % d == 0:
            return False
        d += 2
    return True


def my_range():
    chunk = (LIMIT + size - 1) // size
    start = rank * chunk
    return range(start, min(LIMIT, start + chunk))


# search
found = [n for n in my_range() if is_prime(n)]

# every process writes its own list
name = "primes_part%03d.txt" % rank
with open(name, "w") as f:
    for p in found:
        f.write("%d\n" % p)

print("process", rank, "found", len(found), "primes")

# put the lists together
if rank == 0:
    total = 0
    with open("primes.txt", "w") as out:
        for r in range(size):
            with open("primes_part%03d.txt" % r) as f:
                for line in f:
                    out.write(line)
                    total += 1
    print("primes below", LIMIT, ":", total)
    for part in glob.glob("primes_part*.txt"):
        os.remove(part)
