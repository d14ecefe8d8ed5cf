"""Gatherv and its kin: the counts that a receiver states, against what the ranks send."""

from __future__ import annotations

import pytest

from jaxmpi_lint import testing

START = """
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
rows = [7 - (number % 2) for number in range(size)]
"""
WRONG = {
    "counts without displacements": """
own = np.zeros(rows[rank] + 1)
table = np.zeros(8 * size) if rank == 0 else None
comm.Gatherv(own, (table, rows, None, MPI.DOUBLE) if rank == 0 else None, root=0)
""",
    "counts of the plan, one row less on one rank": """
own = np.zeros((rows[rank] - (rank == 1), 3))
table = np.zeros((sum(rows), 3)) if rank == 0 else None
comm.Gatherv(own, [table, [3 * count for count in rows], MPI.DOUBLE] if rank == 0 else None, root=0)
""",
    "counts of the first ranks of the world in each group": """
group = comm.Split(rank // 2, rank)
shares = [4 if number < 2 else 3 for number in range(size)]
own = np.zeros(shares[rank])
counts = [shares[number] for number in range(group.size)]
whole = np.zeros(sum(counts)) if group.rank == 0 else None
group.Gatherv(own, [whole, counts, MPI.DOUBLE] if group.rank == 0 else None, root=0)
""",
}
RIGHT = {
    "counts of the plan": """
own = np.zeros((rows[rank], 3))
table = np.zeros((sum(rows), 3)) if rank == 0 else None
comm.Gatherv(own, [table, [3 * count for count in rows], MPI.DOUBLE] if rank == 0 else None, root=0)
""",
    "a place of the same length for each rank": """
own = np.zeros(rows[rank])
table = np.zeros((size, 7)) if rank == 0 else None
comm.Gatherv(own, [table, [7] * size, MPI.DOUBLE] if rank == 0 else None, root=0)
""",
    "counts of the members of each group": """
group = comm.Split(rank // 2, rank)
shares = [4 if number < 2 else 3 for number in range(size)]
own = np.zeros(shares[rank])
first = rank // 2 * 2
counts = [shares[number] for number in range(first, first + group.size)]
whole = np.zeros(sum(counts)) if group.rank == 0 else None
group.Gatherv(own, [whole, counts, MPI.DOUBLE] if group.rank == 0 else None, root=0)
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_places_that_are_not_filled_are_found(name: str) -> None:
    assert {one.code for one in testing.lint({"main.py": START + WRONG[name]})} == {"JM121"}


@pytest.mark.parametrize("name", RIGHT)
def test_filled_and_padded_places_are_not(name: str) -> None:
    assert not testing.lint({"main.py": START + RIGHT[name]})
