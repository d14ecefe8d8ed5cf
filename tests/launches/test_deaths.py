"""Processes that are killed: who is to blame is said only where it is known."""

from __future__ import annotations

import pytest

from .cases import ARRAY
from .jobs import run

pytestmark = [pytest.mark.runs_jax, pytest.mark.soak]

ONE_AHEAD = ARRAY + "total = jax.jit(lambda x: x.sum())\nprint(float(total(x)), flush=True)\nimport signal, time\n"


def test_killed_while_another_launches() -> None:
    program = ONE_AHEAD + "if rank == 1:\n    os.kill(os.getpid(), signal.SIGKILL)\nprint(float(total(x)))\n"
    result = run(program)
    assert result.statuses == (66, -9), result
    assert result.codes == {"JS503"}, result
    assert "was killed by SIGKILL" in result.findings[0].message, result
    assert not result.left, result


def test_killed_as_a_whole() -> None:
    # One has launched more than the other, whose end nobody is to blame for.
    program = (
        ONE_AHEAD + "if rank == 0:\n    y = total(x)\ntime.sleep(1 - rank)\nos.kill(os.getpid(), signal.SIGTERM)\n"
    )
    program = program.replace("time.sleep(1 - rank)\n", "while time.time() % 4 < 3:\n    time.sleep(0.001)\n")
    result = run(program)
    assert result.findings == (), result
    assert set(result.statuses) <= {-15, -6}, result
    assert not result.left, result


def test_coordinator_dies() -> None:
    # JAX aborts the others at once; the report must not blame them.
    program = ONE_AHEAD + "if rank == 0:\n    os.kill(os.getpid(), signal.SIGKILL)\ntime.sleep(10)\n"
    result = run(program)
    assert result.statuses[0] == -9, result
    assert result.findings == (), result
    assert any("rank 0 was killed by SIGKILL" in line for line in result.said), result
