"""Messages that no rank receives do not change how MPI_Finalize ends."""

from __future__ import annotations

import pytest

from .environments import LIBRARIES, environment_of
from .harness import run
from .unreceived_jobs import EARLY, LATE, LATE_AND_LARGE, complaints_about_late

pytestmark = [pytest.mark.runs_mpi, pytest.mark.parametrize("library", LIBRARIES)]


@pytest.mark.parametrize("program", [LATE, LATE_AND_LARGE], ids=["small", "large"])
def test_those_that_arrive_late(library: str, program: str) -> None:
    result = run(environment_of(library), program, 3)
    complaints = complaints_about_late(result, 3)
    assert not complaints, "\n".join([*complaints, str(result)])


def test_those_that_have_arrived_before(library: str) -> None:
    mpi = environment_of(library)
    alone, watched = (run(mpi, EARLY, 2, sanitize=sanitize) for sanitize in ("", "1"))
    ends = ["failed 1" if "failed 1" in one.out else "finalized 1" for one in (alone, watched)]
    assert ends[0] == ends[1], f"{alone}\n{watched}"
    assert "JS205" in watched.codes, watched
