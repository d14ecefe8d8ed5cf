"""Correct programs of several kinds are left alone."""

from __future__ import annotations

import pytest

from .correct import PROGRAMS
from .jobs import PRELUDE, run

pytestmark = [pytest.mark.runs_jax, pytest.mark.soak]


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_said(name: str) -> None:
    processes, program = PROGRAMS[name]
    beginning = 'rank, size = int(os.environ["PROCESS"]), int(os.environ["PROCESSES"])\n'
    prelude = PRELUDE
    if program.startswith("jax.config"):
        first, program = program.split("\n", 1)
        prelude = PRELUDE.replace(beginning, f"{first}\n{beginning}")
    result = run(program, processes, prelude=prelude, seconds=90)
    assert set(result.statuses) == {0}, result
    assert result.findings == (), result
    assert len(result.said) == 1, result
    assert not result.left, result
