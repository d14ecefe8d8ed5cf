# Estimate of pi by numerical integration, with my own binary-tree reduction
# (exercise 4: do not use MPI_Reduce)
import math
import sys

from mpi4py import MPI


def partial_sum(rank, size, n):
    h = 1.0 / n
    s = 0.0
    for i in range(rank, n, size):
        x = (i + 0.5) * h
        s += 4.0 / (1.0 + x * x)
    return s * h


def tree_sum(comm, value):
    """The total on rank 0, the partial sum elsewhere."""
    rank = comm.Get_rank()
    size = comm.Get_size()
    step = 1
    while step < size:
        if rank % (2 * step) == 0:
            partner = rank + step
            value += comm.recv(source=partner, tag=step)
        elif rank % step == 0:
            comm.send(value, dest=rank - step, tag=step)
            break
        step *= 2
    return value


def tree_bcast(comm, value):
    rank, size = comm.Get_rank(), comm.Get_size()
    step = 1
    while step < size:
        step *= 2
    step //= 2
    have = rank == 0
    while step >= 1:
        if have and rank + step < size:
            comm.send(value, dest=rank + step, tag=1000 + step)
        elif not have and rank % step == 0 and (rank // step) % 2 == 1:
            value = comm.recv(source=rank - step, tag=1000 + step)
            have = True
        step //= 2
    return value


def main():
    comm = MPI.COMM_WORLD
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    mine = partial_sum(comm.Get_rank(), comm.Get_size(), n)
    total = tree_sum(comm, mine)
    pi = tree_bcast(comm, total)
    error = abs(pi - math.pi)
    print(f"[{comm.Get_rank()}] pi = {pi:.10f} (error {error:.1e})", flush=True)


if __name__ == "__main__":
    main()
