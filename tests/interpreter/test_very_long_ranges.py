"""Ranges and lists with more items than fit into memory."""

from __future__ import annotations

import pytest

from interpreter.running import explored, sure_kinds

HEAD = """
from mpi4py import MPI
comm = MPI.COMM_WORLD
import unknown
N = 10 ** 11
"""
WRONG = "if comm.rank == 0:\n    comm.barrier()\n"


@pytest.mark.parametrize(
    "text",
    [
        "for index, number in enumerate(range(N)):\n    last = index + number\n",
        "for index, number in enumerate(range(N), 1):\n    last = index + number\n",
        "for one, other in zip(range(N), range(1, N)):\n    last = one + other\n",
        "def square(number):\n    return number * number\nnumbers = [square(number) for number in range(N)]\n",
        "numbers = list(range(200_000))\nparts = [numbers[start :: comm.size] for start in range(comm.size)]\n",
    ],
)
def test_the_program_is_followed_to_its_end(text: str) -> None:
    assert sure_kinds(HEAD + text) == set()
    assert sure_kinds(HEAD + text + WRONG) == {"parted"}


@pytest.mark.parametrize("name", ["enumerate", "zip"])
def test_a_row_is_known(name: str) -> None:
    rows = "enumerate(range(N), 5)" if name == "enumerate" else "zip(range(5, N), range(N))"
    text = f"rows = {rows}\nfirst, second = next(rows)\nif (first, second) == (5, 0) and comm.rank == 0:\n"
    assert sure_kinds(HEAD + text + "    comm.barrier()\n") == {"parted"}


@pytest.mark.parametrize(
    "text",
    [
        "numbers = list(range(N))\n",
        "for index, number in enumerate(range(N), comm):\n    pass\n",
        "for one, other in zip(range(N), unknown.column()):\n    pass\n",
        "table = [[0] * 10_000 for _ in range(10_000)]\n",
        "def row():\n    return [0] * 10_000\ntable = [row() for _ in range(10_000)]\n",
    ],
)
def test_too_many_items_end_the_world(text: str) -> None:
    assert {cut.cut for one in explored(HEAD + text) for cut in one.cuts} == {"lists with many items"}


def test_a_matrix_of_lists_is_followed() -> None:
    assert sure_kinds(HEAD + "table = [[0] * 500 for _ in range(500)]\n" + WRONG) == {"parted"}
