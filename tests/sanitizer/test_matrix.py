"""The fault matrix and the clean cases, on both MPI libraries.

By default every program runs once, the libraries and numbers of ranks in turn; with ``-m soak`` come all the rest, and
the proof that the wrong programs are wrong without the sanitizer and the correct ones correct.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from _pytest.mark import ParameterSet

from .cases import Clean, Fault
from .clean_collectives import ENTERED_APART, NOT_A_DIFFERENCE
from .clean_communicators import COMMUNICATORS
from .clean_messages import MODES
from .clean_waits import PATIENCE
from .environments import LIBRARIES, environment_of
from .expectations import complaints_about_clean, complaints_about_fault
from .faults_deadlocks import DEADLOCKS
from .faults_matching import MATCHING
from .faults_messages import CONTENT, LEFT, WARNINGS
from .faults_missing import MISSING
from .harness import run

FAULTS = [*MATCHING, *MISSING, *DEADLOCKS, *LEFT, *CONTENT, *WARNINGS]
CLEAN = [*NOT_A_DIFFERENCE, *ENTERED_APART, *COMMUNICATORS, *MODES, *PATIENCE]
PATIENCE_ALONE = 8.0

pytestmark = pytest.mark.runs_mpi


def cells(cases: Sequence[Fault | Clean]) -> list[ParameterSet]:
    """Every case on every library and number of ranks; one of these by default, the others as soak."""
    found = []
    for number, case in enumerate(cases):
        columns = list(product(LIBRARIES, case.ranks))
        for position, (library, ranks) in enumerate(columns):
            marks = [] if position == number % len(columns) else [pytest.mark.soak]
            name = f"{case.name}, {library}, {ranks} ranks".replace(" ", "_")
            found.append(pytest.param(case, library, ranks, id=name, marks=marks))
    return found


@pytest.mark.parametrize(("fault", "library", "ranks"), cells(FAULTS))
def test_fault_is_reported(fault: Fault, library: str, ranks: int) -> None:
    result = run(environment_of(library), fault.text, ranks, options=fault.options, seconds=25)
    complaints = complaints_about_fault(fault, result, ranks)
    assert not complaints, "\n".join([*complaints, fault.text, str(result)])


@pytest.mark.parametrize(("case", "library", "ranks"), cells(CLEAN))
def test_correct_program_is_left_alone(case: Clean, library: str, ranks: int) -> None:
    result = run(environment_of(library), case.text, ranks, options=case.options, seconds=case.seconds)
    complaints = complaints_about_clean(case, result)
    assert not complaints, "\n".join([*complaints, case.text, str(result)])


@pytest.mark.soak
@pytest.mark.parametrize(("fault", "library", "ranks"), [p.values for p in cells(FAULTS)])
def test_fault_without_the_sanitizer(fault: Fault, library: str, ranks: int) -> None:
    result = run(environment_of(library), fault.text, ranks, sanitize="", seconds=PATIENCE_ALONE)
    assert result.outcome in fault.outcomes(library, ranks), str(result)


@pytest.mark.soak
@pytest.mark.parametrize(("case", "library", "ranks"), [p.values for p in cells(CLEAN)])
def test_correct_program_without_the_sanitizer(case: Clean, library: str, ranks: int) -> None:
    result = run(environment_of(library), case.text, ranks, sanitize="", seconds=case.seconds)
    assert (result.status, result.hung) == (case.status, False), str(result)
