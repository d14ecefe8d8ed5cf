"""Processes with other surroundings are told apart before the first launch."""

from __future__ import annotations

import pytest

from .jobs import run


@pytest.mark.runs_jax
def test_other_surroundings_are_a_warning_once() -> None:
    result = run("print('done')\n", each=({}, {"JAX_ENABLE_X64": "1"}))
    assert result.statuses == (0, 0), result
    (finding,) = result.findings
    assert (finding.code, finding.severity, finding.ranks) == ("JS504", "warning", (0, 1)), result
    assert "jax_enable_x64 is not the same in all processes: False on rank 0; True on rank 1" in "".join(result.err)
    assert not result.left, result
