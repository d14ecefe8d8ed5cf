"""Bitonic sort of equal blocks, and for any other number of ranks odd-even
transposition.  The choice depends on the size only, so all ranks agree."""
import numpy as np
from mpi4py import MPI

BLOCK = 70
TAG = 12


def compare_split(comm, block, partner, keep_low):
    """Swap sorted blocks with the partner and keep one half of the union."""
    other = np.empty_like(block)
    comm.Sendrecv(block, dest=partner, sendtag=TAG, recvbuf=other, source=partner, recvtag=TAG)
    union = np.sort(np.concatenate([block, other]))
    return union[:len(block)].copy() if keep_low else union[len(block):].copy()


def bitonic_merge(comm, block, span, ascending):
    """Recursion over halves of the group of `span` ranks."""
    if span == 1:
        return block
    half = span // 2
    partner = comm.rank ^ half
    keep_low = (comm.rank < partner) == ascending
    block = compare_split(comm, block, partner, keep_low)
    return bitonic_merge(comm, block, half, ascending)


def bitonic_sort(comm, block, span):
    """Sort groups of `span` ranks, up in even groups and down in odd ones."""
    block = np.sort(block) if span == 1 else bitonic_sort(comm, block, span // 2)
    ascending = (comm.rank // span) % 2 == 0
    return bitonic_merge(comm, block, span, ascending)


def odd_even_sort(comm, block):
    rank, size = comm.rank, comm.size
    block = np.sort(block)
    for phase in range(size):
        if rank % 2 == phase % 2:
            if rank + 1 < size:
                block = compare_split(comm, block, rank + 1, keep_low=True)
        elif rank > 0:
            block = compare_split(comm, block, rank - 1, keep_low=False)
    return block


def odd_even_early(comm, block):
    """Like odd_even_sort, but stops after two phases without any change."""
    rank, size = comm.rank, comm.size
    block = np.sort(block)
    phase, quiet = 0, 0
    while quiet < 2:
        partner = rank + 1 if rank % 2 == phase % 2 else rank - 1
        changed = False
        if 0 <= partner < size:
            new = compare_split(comm, block, partner, keep_low=rank < partner)
            changed = not np.array_equal(new, block)
            block = new
        quiet = 0 if comm.allreduce(changed, op=MPI.LOR) else quiet + 1
        phase += 1
    return block, phase


def is_globally_sorted(comm, block):
    """The first key travels to the left neighbour."""
    ok = bool(np.all(block[:-1] <= block[1:]))
    first_of_right = np.full(1, np.iinfo(np.int64).max)
    left = comm.rank - 1 if comm.rank else MPI.PROC_NULL
    right = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
    comm.Sendrecv(block[:1], dest=left, sendtag=1, recvbuf=first_of_right, source=right, recvtag=1)
    return comm.allreduce(ok and bool(block[-1] <= first_of_right[0]), op=MPI.LAND)


def main():
    comm = MPI.COMM_WORLD
    keys = np.random.default_rng(6).integers(0, 5000, size=(comm.size, BLOCK))
    mine = keys[comm.rank].copy()

    if comm.size & (comm.size - 1) == 0:
        method, result = "bitonic", bitonic_sort(comm, mine, comm.size)
    else:
        method, result = "odd-even", odd_even_sort(comm, mine)
    early, phases = odd_even_early(comm, mine)

    assert is_globally_sorted(comm, result) and is_globally_sorted(comm, early)
    same = comm.allreduce(bool(np.array_equal(result, early)), op=MPI.LAND)
    assert same
    table = np.empty((comm.size, BLOCK), dtype=np.int64) if comm.rank == 0 else None
    comm.Gather(result, table, root=0)
    if comm.rank == 0:
        assert np.array_equal(table.ravel(), np.sort(keys.ravel()))
        print(f"{method}: {table.size} keys sorted; early variant took {phases} phases")


if __name__ == "__main__":
    main()
