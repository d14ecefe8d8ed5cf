"""Distributed odd-even transposition sort."""
import sys
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()


def partner_of(rank, phase):
    if (rank + phase) % 2 == 0:
        return (rank + 1) % size
    return (rank - 1) % size


def merge_keep(mine, theirs, keep_low):
    both = np.sort(np.concatenate([mine, theirs]), kind="mergesort")
    return both[:mine.size] if keep_low else both[-mine.size:]


def odd_even_sort(values):
    values = np.sort(values)
    theirs = np.empty_like(values)
    if size == 1:
        return values
    for phase in range(size):
        partner = partner_of(rank, phase)
        comm.Sendrecv(values, dest=partner, sendtag=phase,
                      recvbuf=theirs, source=partner, recvtag=phase)
        values = merge_keep(values, theirs, keep_low=rank < partner)
    return values


def main():
    per_rank = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = np.random.default_rng([42, rank])
    data = rng.integers(0, 10 ** 6, size=per_rank)
    checksum = comm.allreduce(int(data.sum()))

    data = odd_even_sort(data)

    everything = np.empty(per_rank * size, dtype=data.dtype) if rank == 0 else None
    comm.Gather(data, everything, root=0)
    if rank == 0:
        ok = bool(np.all(np.diff(everything) >= 0)) and int(everything.sum()) == checksum
        print("sorted" if ok else "NOT sorted", everything[:3], everything[-3:])


if __name__ == "__main__":
    main()
