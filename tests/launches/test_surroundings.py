"""Processes with other surroundings are told apart before the first launch."""

from __future__ import annotations

import pytest

from .jobs import PRELUDE, run


@pytest.mark.runs_jax
def test_other_surroundings_are_a_warning_once() -> None:
    result = run("print('done')\n", each=({}, {"JAX_ENABLE_X64": "1"}))
    assert result.statuses == (0, 0), result
    (finding,) = result.findings
    assert (finding.code, finding.severity, finding.ranks) == ("JS504", "warning", (0, 1)), result
    assert "jax_enable_x64 differs: False on rank 0; True on rank 1" in "".join(result.err)
    assert not result.left, result


@pytest.mark.runs_jax
def test_other_numbers_of_devices_are_told_at_the_first_launch() -> None:
    prelude = PRELUDE.replace(
        "import numpy as np", "jax.config.update('jax_num_cpu_devices', 1 + rank)\nimport numpy as np"
    )
    assert prelude != PRELUDE
    result = run(
        "print(float(jax.jit(jax.numpy.ones, static_argnums=0, out_shardings=split)(6).sum()))\n", prelude=prelude
    )
    assert result.statuses == (0, 0), result
    (finding,) = result.findings
    assert (finding.code, finding.severity) == ("JS504", "warning"), result
    assert "the number of local devices differs: 1 on rank 0; 2 on rank 1" in finding.message
