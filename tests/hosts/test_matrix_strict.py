"""The fault matrix with `strict` on two hosts, and a sample of it on four.

By default a few programs run; with ``-m soak`` all, on both libraries, the ranks dealt in blocks and in turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product

import pytest
from _pytest.mark import ParameterSet
from sanitizer.cases import Fault
from sanitizer.environments import LIBRARIES, environment_of
from sanitizer.expectations import complaints_about_fault
from sanitizer.harness import Result
from sanitizer.test_matrix import FAULTS

from .conftest import Hosts, made
from .jobs import run_on_two
from .test_matrix_hosts import OTHERWISE, SLOWER, met, on_hosts, without_meeting

EVERY = 80  # cells, of which one runs by default
SAMPLE = 12  # of the programs, of which one runs on four hosts

pytestmark = pytest.mark.runs_mpi


def cells(cases: Sequence[Fault], orders: Collection[bool]) -> list[ParameterSet]:
    """Every program with its largest number of ranks, on every library and in every order."""
    found: list[ParameterSet] = []
    for case, library, in_turn in product(cases, LIBRARIES, orders):
        ranks = max(case.ranks)
        if (case.name, library) in OTHERWISE or (in_turn and ranks <= 2):
            continue
        marks = [] if len(found) % EVERY == 0 else [pytest.mark.soak]
        name = f"{case.name}, {library}, {ranks} ranks{', in turn' if in_turn else ''}".replace(" ", "_")
        found.append(pytest.param(met(case), library, ranks, in_turn, id=name, marks=marks))
    return found


def check(fault: Fault, library: str, result: Result, ranks: int) -> None:
    expected = on_hosts(fault, library, ranks, forwarded=False)
    # The ranks of one host are let go first, and may end the job before those of the other reach their call.
    expected = replace(expected, in_part=(*fault.in_part, "JS301"))
    complaints = complaints_about_fault(expected, without_meeting(result), ranks)
    assert not complaints, "\n".join([*complaints, fault.text, str(result)])


@pytest.mark.parametrize(("fault", "library", "ranks", "in_turn"), cells(FAULTS, (False, True)))
def test_fault_is_reported(fault: Fault, library: str, ranks: int, in_turn: bool, two_for_all: Hosts) -> None:
    mpi, seconds = environment_of(library), 25 + SLOWER
    result = run_on_two(
        mpi, two_for_all, fault.text, ranks, in_turn=in_turn, options=fault.options, sanitize="strict", seconds=seconds
    )
    check(fault, library, result, ranks)


@pytest.fixture(scope="module")
def four() -> Iterator[Hosts]:
    """Four hosts, each with its own /tmp."""
    yield from made(4, own_tmp=True)


OF_FOUR = [case for case in FAULTS if max(case.ranks) >= 4][::SAMPLE]


@pytest.mark.parametrize("sanitize", ["1", "strict"])
@pytest.mark.parametrize(("fault", "library", "ranks", "in_turn"), cells(OF_FOUR, (True,)))
def test_fault_is_reported_on_four_hosts(
    fault: Fault, library: str, ranks: int, in_turn: bool, sanitize: str, four: Hosts
) -> None:
    mpi, seconds = environment_of(library), 25 + 2 * SLOWER
    result = run_on_two(
        mpi, four, fault.text, ranks, in_turn=in_turn, options=fault.options, sanitize=sanitize, seconds=seconds,
        number=4,
    )  # fmt: skip
    check(fault, library, result, ranks)
