"""Messages continue while a rank waits for other hosts with `strict`, also if one lies there that it receives later."""

from __future__ import annotations

import pytest
from sanitizer.environments import LIBRARIES, environment_of
from sanitizer.test_progress import PROGRAM

from .conftest import Hosts
from .jobs import run_on_two

pytestmark = pytest.mark.runs_mpi


@pytest.mark.parametrize("library", LIBRARIES)
def test_others_continue(library: str, two_for_all: Hosts) -> None:
    result = run_on_two(environment_of(library), two_for_all, PROGRAM, 3, in_turn=True, sanitize="strict")
    assert (result.outcome, result.findings) == ("ends", ()), result
