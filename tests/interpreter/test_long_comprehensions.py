"""Comprehensions over more elements than the interpreter follows."""

from __future__ import annotations

import textwrap

import pytest

from interpreter.running import sure_kinds

HEAD = """
from mpi4py import MPI
comm = MPI.COMM_WORLD

def make(number):
    return {number}

def empty():
    return set()

def square(number):
    return number * number
"""


def shown(text: str) -> set[str]:
    return sure_kinds(HEAD + textwrap.dedent(text))


@pytest.mark.parametrize(
    "text",
    [
        "table = [empty() for _ in range(200)]\n",
        "table = [make(number) for number in range(200)]\n",
        "table = [square(number) for number in range(200)]\n",
        "table = list(square(number) for number in range(200))\n",
    ],
)
def test_the_length_is_that_of_the_loop(text: str) -> None:
    assert shown(f"{text}if len(table) == 200 and comm.rank == 0:\n    comm.barrier()\n") == {"parted"}


def test_elements_that_are_made_alike_are_separate_and_known() -> None:
    text = """
    table = [empty() for _ in range(200)]
    table[150].add(3)
    if not table[140] and table[150] and comm.rank == 0:
        comm.barrier()
    """
    assert shown(text) == {"parted"}


def test_a_key_that_is_left_out_is_not_missing() -> None:
    text = """
    table = {number: square(number) for number in range(200)}
    if comm.rank == 0:
        print(table[150])
    comm.barrier()
    """
    assert shown(text) == set()
