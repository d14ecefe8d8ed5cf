"""`jaxmpi-sanitize status` while a JAX job runs."""

from __future__ import annotations

import pytest

from .cases import ARRAY
from .jobs import lines_of, run

pytestmark = pytest.mark.runs_jax

PROGRAM = (
    ARRAY
    + """\
import subprocess
import sys
total = jax.jit(lambda x: x.sum())
for _ in range(4):
    y = total(x)  # last
y.block_until_ready()
if rank == 0:
    for job in (os.environ["ADDRESS"], "another job"):
        command = [sys.executable, "-m", "jaxmpi_lint.runtime.commands.command", "status", job]
        print(subprocess.run(command, env=os.environ | {"JAXMPI_SANITIZE": "0"}, capture_output=True, text=True).stdout)
total(x).block_until_ready()
"""
)


def test_status_of_a_job() -> None:
    result = run(PROGRAM)
    assert result.statuses == (0, 0), result
    said = result.out[0]
    assert "  2 ranks on " in said, said
    assert "  4 launches, the last one jit(" in said, said
    assert f"program.py:{lines_of(PROGRAM, 'last')[0]}" in said, said
    assert "no job 'another job' with JAXMPI_SANITIZE=1 runs on this host" in said, said
