"""Multigrid-style coarsening: on each coarser level only a part of the
ranks stays active, the others hold COMM_NULL and wait for the way back."""
import numpy as np
from mpi4py import MPI

from levels import LevelStack

N0 = 64


def sum_by_levels(stack, local):
    """Restrict pairwise down to a single value, then prolong back."""
    carried = []
    values = local
    for level in stack:
        if not level.active:
            break
        values = np.array([values.sum()])
        carried.append(values.copy())
        values = level.merge(values)      # None on ranks which leave here
        if values is None:
            break
    return values, carried


def main():
    comm = MPI.COMM_WORLD
    base, extra = divmod(N0, comm.size)
    first = comm.rank * base + min(comm.rank, extra)
    mine = base + (comm.rank < extra)
    local = np.sqrt(np.arange(first, first + mine, dtype=float))

    with LevelStack(comm) as stack:
        top, carried = sum_by_levels(stack, local)
        assert (top is not None) == (comm.rank == 0)
        # the partial sums of the way down are all consistent
        assert np.isclose(carried[0][0], local.sum())

        value = top[0] if comm.rank == 0 else None
        for level in reversed(stack.levels):
            if level.comm != MPI.COMM_NULL:
                value = level.spread(value)
        depth = stack.depth
    # now everyone has it
    reference = float(np.sqrt(np.arange(N0)).sum())
    assert np.isclose(value, reference), (comm.rank, value, reference)

    # an extra communicator of the odd ranks; the even ones pass UNDEFINED
    color = 0 if comm.rank % 2 else MPI.UNDEFINED
    odd = comm.Split(color, key=-comm.rank)
    if odd != MPI.COMM_NULL:
        order = odd.allgather(comm.rank)
        assert order == sorted(order, reverse=True)
        n_odd = odd.Get_size()
        odd.Free()
    else:
        n_odd = 0
    assert comm.allreduce(n_odd, op=MPI.MAX) == comm.size // 2

    if comm.rank == 0:
        print(f"sum {value:.6f} through {depth} levels")


if __name__ == "__main__":
    main()
