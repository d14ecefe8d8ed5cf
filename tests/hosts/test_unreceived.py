"""Messages that no rank receives do not change how MPI_Finalize ends, on two hosts."""

from __future__ import annotations

import pytest
from sanitizer.environments import LIBRARIES, environment_of
from sanitizer.unreceived_jobs import EARLY, LATE, LATE_AND_LARGE, complaints_about_late

from .conftest import Hosts
from .jobs import run_on_two

pytestmark = pytest.mark.runs_mpi


@pytest.mark.parametrize("program", [LATE, LATE_AND_LARGE], ids=["small", "large"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_those_that_arrive_late(library: str, program: str, two_for_all: Hosts) -> None:
    result = run_on_two(environment_of(library), two_for_all, program, 3, in_turn=True)
    complaints = complaints_about_late(result, 3)
    assert not complaints, "\n".join([*complaints, str(result)])


@pytest.mark.parametrize("library", LIBRARIES)
def test_those_that_have_arrived_before(library: str, two_for_all: Hosts) -> None:
    mpi = environment_of(library)
    alone, watched = (run_on_two(mpi, two_for_all, EARLY, 2, sanitize=sanitize, seconds=12) for sanitize in ("", "1"))
    assert alone.outcome == watched.outcome, f"{alone}\n{watched}"
    assert ("failed 1" in alone.out) == ("failed 1" in watched.out), f"{alone}\n{watched}"
    assert "JS205" in watched.codes, watched
