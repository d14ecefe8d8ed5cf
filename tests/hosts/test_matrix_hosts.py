"""The fault matrix and the clean cases on two hosts, the ranks dealt in blocks or in turn.

By default a few of them run; with ``-m soak`` all, on both libraries.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet
from sanitizer.cases import PREAMBLE, Clean, Fault
from sanitizer.environments import LIBRARIES, environment_of
from sanitizer.expectations import complaints_about_clean, complaints_about_fault
from sanitizer.harness import Finding, Result
from sanitizer.test_matrix import CLEAN, FAULTS

from .conftest import Hosts
from .jobs import run_on_two

EVERY = 120  # cells, of which one runs by default
LOST_PEER = 14  # with which Open MPI's launcher ends now and then, also alone, when a rank dies on another host
LOST_PROXY = 255  # with which Hydra ends often, also alone, when ranks die: its proxy on another host does so
TRUNCATED = 0x80 | 14  # with which MPICH ends a rank in a collective in which a message does not fit
OTHERWISE = {
    # Small messages of a collective between hosts wait for their receiver: the programs hang, also alone.
    ("possible edges: a root that leaves first", "openmpi"),
    ("possible edges: contributors that leave first", "openmpi"),
    # Hydra lets the ranks of the other host go on until they wait.
    ("killed by a fault in memory while the others compute", "mpich"),
    # MPI_Finalize fails, also alone, if the message has been seen before, and the job hangs: see test_unreceived.py.
    ("message never received", "mpich"),
}
WITHIN_A_HOST = {"operators made at different places"}  # the folder of the program may have a different name on others
SLOWER = 15.0  # seconds more than on one host

Case = TypeVar("Case", Fault, Clean)

pytestmark = pytest.mark.runs_mpi


def met(case: Case) -> Case:
    """The case once all hosts have met, which the first rank of each host waits for in MPI_Init."""
    if case.preamble != PREAMBLE:
        return case
    return replace(case, preamble=f"{PREAMBLE.rstrip()}\ncomm.Barrier()\n\n")


def on_hosts(fault: Fault, library: str, ranks: int, forwarded: bool = True) -> Fault:
    """With the exit codes of a job whose ranks die on their own, or in a call that was forwarded before the report."""
    launcher = (*fault.launcher, LOST_PEER, LOST_PROXY) if fault.launcher else ()
    if forwarded and fault.status and library == "mpich" and "fails" in fault.outcomes(library, ranks):
        launcher += (TRUNCATED, TRUNCATED | signal.SIGKILL)
    if library == "mpich":  # it joins those of all ranks
        launcher += tuple(fault.status | code for code in launcher)
    return replace(fault, launcher=launcher)


def without_meeting(result: Result) -> Result:
    """Without the places that name the call in which the hosts meet, which is the last one of ranks that then end."""
    line = PREAMBLE.rstrip().count("\n") + 2

    def kept(one: Finding) -> Finding:
        return replace(one, places=tuple(place for place in one.places if place.line != line))

    return replace(result, findings=tuple(map(kept, result.findings)))


def cells(cases: Sequence[Case]) -> list[ParameterSet]:
    """Every case on every library, number of ranks and order."""
    found: list[ParameterSet] = []
    for case in cases:
        for library, ranks in product(LIBRARIES, case.ranks):
            for in_turn in (False, True) if ranks > 2 else (False,):
                if (case.name, library) in OTHERWISE or (ranks <= 2 and case.name in WITHIN_A_HOST):
                    continue
                marks = [] if len(found) % EVERY == 0 else [pytest.mark.soak]
                name = f"{case.name}, {library}, {ranks} ranks{', in turn' if in_turn else ''}".replace(" ", "_")
                found.append(pytest.param(met(case), library, ranks, in_turn, id=name, marks=marks))
    return found


@pytest.mark.parametrize(("fault", "library", "ranks", "in_turn"), cells(FAULTS))
def test_fault_is_reported(fault: Fault, library: str, ranks: int, in_turn: bool, two_for_all: Hosts) -> None:
    mpi = environment_of(library)
    result = run_on_two(
        mpi, two_for_all, fault.text, ranks, in_turn=in_turn, options=fault.options, seconds=25 + SLOWER
    )
    complaints = complaints_about_fault(on_hosts(fault, library, ranks), without_meeting(result), ranks)
    assert not complaints, "\n".join([*complaints, fault.text, str(result)])


@pytest.mark.parametrize(("case", "library", "ranks", "in_turn"), cells(CLEAN))
def test_correct_program_is_left_alone(
    case: Clean, library: str, ranks: int, in_turn: bool, two_for_all: Hosts
) -> None:
    mpi = environment_of(library)
    seconds = case.seconds + SLOWER
    result = run_on_two(mpi, two_for_all, case.text, ranks, in_turn=in_turn, options=case.options, seconds=seconds)
    complaints = complaints_about_clean(case, result)
    assert not complaints, "\n".join([*complaints, case.text, str(result)])
