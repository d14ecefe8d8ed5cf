from mpi4py import MPI
import numpy as np
import sys

# Odd-even transposition sort on blocks.
# In each phase neighbours exchange their whole block; the left one
# keeps the small half and the right one keeps the large half.
#
#   mpirun -n 4 python oddeven.py 400000


def merge_low(mine, other):
    return np.sort(np.concatenate((mine, other)), kind="stable")[:len(mine)]


def merge_high(mine, other):
    return np.sort(np.concatenate((mine, other)), kind="stable")[-len(mine):]


def partner_of(rank, size, phase):
    if phase % 2 == 0:
        p = rank + 1 if rank % 2 == 0 else rank - 1
    else:
        p = rank - 1 if rank % 2 == 0 else rank + 1
    if p < 0 or p >= size:
        return None
    return p


def odd_even_sort(comm, block):
    rank = comm.Get_rank()
    size = comm.Get_size()
    block = np.sort(block)
    for phase in range(size):
        p = partner_of(rank, size, phase)
        if p is None:
            continue
        comm.send(block, dest=p, tag=phase)
        other = comm.recv(source=p, tag=phase)
        if rank < p:
            block = merge_low(block, other)
        else:
            block = merge_high(block, other)
    return block


if __name__ == "__main__":
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()
    size = comm.Get_size()

    n = int(sys.argv[1]) if len(sys.argv) > 1 else 400000
    nloc = max(n // size, 1)

    if rank == 0:
        data = np.random.default_rng(17).normal(size=(size, nloc))
    else:
        data = None
    block = np.empty(nloc)
    comm.Scatter(data, block, root=0)

    comm.Barrier()
    t = MPI.Wtime()
    block = odd_even_sort(comm, block)
    comm.Barrier()
    t = MPI.Wtime() - t

    out = np.empty((size, nloc)) if rank == 0 else None
    comm.Gather(block, out, root=0)
    if rank == 0:
        ok = np.array_equal(out.ravel(), np.sort(data.ravel()))
        print("sorted %d numbers on %d ranks in %.3f s, correct: %s"
              % (nloc * size, size, t, ok))
