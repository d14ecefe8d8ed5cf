"""Entries of a `defaultdict` that functions and classes of the program make."""

from __future__ import annotations

import pytest

from interpreter.running import faults

PROGRAM = """
from collections import defaultdict
from mpi4py import MPI

comm = MPI.COMM_WORLD

class Entry:
    def __init__(self):
        self.hits = 0

def empty():
    return Entry()

book = defaultdict({make})
for number in range({first}, 6, {step}):
    book["even" if number % 2 == 0 else "odd"].hits += 1
for key in sorted(book):
    comm.allreduce(book[key].hits)
comm.Barrier()
"""


@pytest.mark.parametrize("make", ["Entry", "empty", "lambda: Entry()"])
def test_ranks_with_different_keys(make: str) -> None:
    found = faults(PROGRAM.format(make=make, first="comm.rank", step="2"))
    assert not found  # each of two ranks has one key, but which of them is different
    found = faults(PROGRAM.format(make=make, first="comm.rank * 3 + 3", step="1"))
    assert {kind for kind, _ in found} == {"mismatch"}


@pytest.mark.parametrize("make", ["Entry", "empty", "lambda: Entry()"])
def test_ranks_with_the_same_keys(make: str) -> None:
    assert not faults(PROGRAM.format(make=make, first="0", step="1"))
