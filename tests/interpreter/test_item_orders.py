"""Loops over the items of sets, whose order differs between processes where they hold texts or objects."""

from __future__ import annotations

import pytest

from jaxmpi_lint import testing

START = """
from dataclasses import dataclass

from mpi4py import MPI

comm = MPI.COMM_WORLD
local = {"a": comm.rank, "b": 2 * comm.rank, "c": 5 + comm.rank}


@dataclass(frozen=True)
class Move:
    name: str
    source: int
    target: int


@dataclass(frozen=True)
class Step:
    number: int


class Task:
    pass


def moves():
    return {Move("a", 0, 1), Move("b", 1, 0)}
"""
WRONG = {
    "a sort by a key with ties": """
for name in sorted(set(local), key=len):
    local[name] = comm.allreduce(local[name])
""",
    "a sorted list in a function": """
def plan():
    return sorted((name for name in set(local)), key=lambda name: 1)


def reduce_all(names):
    return {name: comm.reduce(local[name]) for name in names}


reduce_all(plan())
""",
    "messages of records with texts": """
for move in moves():
    if move.source == comm.rank:
        comm.ssend(move.name, dest=move.target, tag=ord(move.name))
    elif move.target == comm.rank:
        comm.recv(source=move.source, tag=ord(move.name))
""",
    "tuples with texts": """
for name, root in {("a", 0), ("b", 1)}:
    comm.bcast(local[name], root=root)
""",
}
RIGHT = {
    "a sort by a key without ties": """
for name in sorted(set(local), key=lambda name: (len(name), name)):
    local[name] = comm.allreduce(local[name])
""",
    "records of numbers": """
for step in {Step(1), Step(2), Step(3)}:
    comm.bcast(step.number * comm.rank, root=step.number % comm.size)
""",
    "equal values of all items": """
for name in sorted(set(local), key=len):
    comm.allreduce(1)
""",
    "the order of one rank": """
for name in comm.bcast(list(set(local)), root=0):
    local[name] = comm.allreduce(local[name])
""",
    "sorted records": """
for move in sorted(moves(), key=lambda move: move.name):
    if move.source == comm.rank:
        comm.send(move.name, dest=move.target, tag=ord(move.name))
    elif move.target == comm.rank:
        comm.recv(source=move.source, tag=ord(move.name))
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_different_orders_are_found(name: str) -> None:
    assert {one.code for one in testing.lint({"main.py": START + WRONG[name]})} == {"JM801"}


@pytest.mark.parametrize("name", RIGHT)
def test_equal_orders_are_not(name: str) -> None:
    assert not testing.lint({"main.py": START + RIGHT[name]})
