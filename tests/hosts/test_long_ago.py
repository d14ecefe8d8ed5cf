"""One wrong operator, which MPI does not notice, among very many right calls between hosts."""

from __future__ import annotations

import re

import pytest
from sanitizer.environments import Environment

from .conftest import Hosts
from .jobs import start_on_two

pytestmark = pytest.mark.runs_mpi

PROGRAM = """
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
mine, all_of_them = np.ones(1), np.empty(1)
for turn in range({count}):
    comm.Allreduce(mine, all_of_them, op=MPI.MAX if turn == {wrong} and comm.rank == 1 else MPI.SUM)
print("ended", flush=True)
"""
CALLS_A_SECOND = 2000  # at least
LONG = 1_000_000


@pytest.mark.parametrize(
    "count", [100_000, *(pytest.param(many, marks=pytest.mark.soak) for many in (LONG, 10 * LONG))]
)
def test_interval_is_named(mpi: Environment, two_for_all: Hosts, count: int) -> None:
    wrong = count // 10
    job = start_on_two(mpi, two_for_all, PROGRAM.format(count=count, wrong=wrong), 2)
    result = job.finish(60 + count / CALLS_A_SECOND, patience=8)
    assert (result.status, result.left_processes) == (66, ()), str(result)
    assert count < LONG or "ended" not in result.out, str(result)  # a short job may end before the monitors look
    first, last = named(result.err)
    assert first <= wrong + 1 <= last, str(result)


def named(report: str) -> tuple[int, int]:
    """Between which collectives the report places the difference; it names one if a look came at the right moment."""
    exact = re.search(r"JS104 error: rank 0 reduces with SUM; rank 1 reduces with MAX: collective (\d+) on", report)
    if exact is not None:
        return int(exact[1]), int(exact[1])
    found = re.search(
        r"JS112 error: .* between collective (\d+) and collective (\d+), is no longer in the history", report
    )
    return (int(found[1]), int(found[2])) if found is not None else (0, -1)
