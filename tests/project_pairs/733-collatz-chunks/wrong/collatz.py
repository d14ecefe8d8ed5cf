"""Which start below N has the longest Collatz sequence?"""
from contextlib import closing

from mpi4py import MPI

from counter import Cursor


def length(n):
    steps = 1
    while n > 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return steps


def scan(cursor):
    best = (0, 0)
    done = 0
    for chunk in cursor:
        done += len(chunk)
        best = max([best, *((length(n), -n) for n in chunk)])
    return best, done


def main(total=3000):
    comm = MPI.COMM_WORLD
    with closing(Cursor(comm, total)) as cursor:
        best, done = scan(cursor)
        best = comm.reduce(best, op=MPI.MAX, root=0)
        done = comm.reduce(done, op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"{done} starts, longest from {-best[1]} with {best[0]} terms")


if __name__ == "__main__":
    main()
