"""Photochemistry of a plume on independent columns."""
import argparse

from mpi4py import MPI

from .budget import Budget
from .column import Columns
from .mechanism import Mechanism


def block(total, rank, size):
    base, extra = divmod(total, size)
    first = rank * base + min(rank, extra)
    return first, first + base + (rank < extra)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--dt", type=float, default=0.02)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--every", type=int, default=25)
    args = parser.parse_args(argv)

    comm = MPI.COMM_WORLD
    mech = Mechanism.parse()
    columns = Columns(mech, *block(args.columns, comm.rank, comm.size), args.columns)
    budget = Budget(comm, mech)
    for step in range(1, args.steps + 1):
        columns.advance(args.dt)
        if step % args.every == 0:
            budget.record(step * args.dt, columns)
    if comm.rank == 0:
        print("\n".join(budget.table()))
