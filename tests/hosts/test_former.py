"""Communicators that ranks of two hosts have freed: what they entered on them is compared at the end."""

from __future__ import annotations

import pytest
from sanitizer.cases import Clean, Fault
from sanitizer.environments import Environment
from sanitizer.expectations import complaints_about_clean, complaints_about_fault

from .conftest import Hosts
from .jobs import run_on_two

pytestmark = pytest.mark.runs_mpi

WRONG = [
    Fault(
        "operator on one of many",
        """
        for turn in range(40):
            other = comm.Split(0)
            operator = MPI.MAX if turn == 25 and rank == 1 else MPI.SUM
            other.Allreduce(small, space, op=operator)  #@ all: JS104
            other.Free()
        comm.Barrier()
        """,
        alone="ends",
    ),
    Fault(
        "freed on one host only",
        """
        other = comm.Dup()
        other.Allreduce(small, space, op=MPI.MAX if rank == 1 else MPI.SUM)  #@ all: JS104
        if rank % 2 == 0:
            other.Free()
        for _ in range(5):
            again = comm.Split(0)
            again.Barrier()
            again.Free()
        comm.Barrier()
        """,
        alone="ends",
    ),
    Fault(
        "part",
        """
        other = comm.Split(0)
        mine = np.ones(1 if rank == 1 else 2)
        other.Gatherv(mine, [np.empty(2 * size), [2] * size] if rank == 0 else None)  #@ 0 1: JS110
        other.Free()
        comm.Barrier()
        """,
        alone="ends",
    ),
]
RIGHT = Clean(
    "freed in different orders, and on one host only",
    """
    for turn in range(200):
        one, other = comm.Dup(), comm.Split(rank % 3 == 0, key=-rank)
        one.Allreduce(small, space, op=MPI.MAX if turn % 2 else MPI.SUM)
        for _ in range(turn % 5):
            other.Barrier()
        other.Gatherv(np.ones(2), [np.empty(2 * other.size), [2] * other.size] if other.rank == 0 else None)
        for gone in (one, other) if rank % 2 == 0 else (other, one):
            gone.Free()
    kept = comm.Dup()
    kept.Barrier()
    if rank % 2 == 0:
        kept.Free()
    group = comm.group.Incl(list(range(size - 1)))
    fewer = comm.Create_group(group) if rank < size - 1 else MPI.COMM_NULL
    if fewer != MPI.COMM_NULL:
        fewer.Barrier()
        fewer.Free()
    half = comm.Split(rank < size // 2)
    between = half.Create_intercomm(0, comm, size // 2 if rank < size // 2 else 0)
    between.Barrier()
    between.Free()
    half.Free()
    comm.Barrier()
    """,
)


@pytest.mark.parametrize("in_turn", [False, True], ids=["blocks", "in turn"])
@pytest.mark.parametrize("fault", WRONG, ids=str)
def test_difference_is_reported(mpi: Environment, fault: Fault, in_turn: bool, two_for_all: Hosts) -> None:
    ranks = 4 if in_turn else 2
    result = run_on_two(mpi, two_for_all, fault.text, ranks, in_turn=in_turn)
    complaints = complaints_about_fault(fault, result, ranks)
    assert not complaints, "\n".join([*complaints, fault.text, str(result)])


@pytest.mark.parametrize("in_turn", [False, True], ids=["blocks", "in turn"])
def test_correct_program_is_left_alone(mpi: Environment, in_turn: bool, two_for_all: Hosts) -> None:
    result = run_on_two(mpi, two_for_all, RIGHT.text, 4, in_turn=in_turn, seconds=60)
    complaints = complaints_about_clean(RIGHT, result)
    assert not complaints, "\n".join([*complaints, str(result)])
