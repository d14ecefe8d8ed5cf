"""Lists that a sum joins stay lists, and are reported only where their items are taken for sums."""

from __future__ import annotations

import pytest

from interpreter.running import explored, faults

PROGRAM = """
from mpi4py import MPI

comm = MPI.COMM_WORLD
total = comm.allreduce([comm.rank, 1])
{use}
comm.Barrier()
"""
MISTAKEN = (
    "for name, count in zip('ab', total):\n    print(name, count)",
    "print(total[0] + total[1])",
)
MEANT = (
    "print(total)",
    "total.sort(); total.append(3); print(total[0])",
    "total = comm.bcast(total); print(total[0], total[1], len(total))",
    "other = list(total); print(other[0], other[1])",
    "print(total[0], total[1], sum(total))",
    "for name, count in zip(range(len(total)), total):\n    print(name, count)",
)


@pytest.mark.parametrize("use", MISTAKEN)
def test_items_that_are_taken_for_sums(use: str) -> None:
    assert ("lists joined by a sum", 5) in faults(PROGRAM.format(use=use))


@pytest.mark.parametrize("use", MEANT)
def test_lists_that_are_joined_on_purpose(use: str) -> None:
    [result] = explored(PROGRAM.format(use=use))
    assert not (result.found or result.cuts or result.failure)
