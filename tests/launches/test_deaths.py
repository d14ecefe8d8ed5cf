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
    # One has launched more than the other, whose end nobody is to blame for. (JAX takes SIGTERM for a mere hint.)
    program = ONE_AHEAD + (
        "if rank == 0:\n    open('pid', 'w').write(str(os.getpid()))\n    y = total(x)\n"
        "while not os.path.exists('pid') or not open('pid').read():\n    time.sleep(0.01)\n"
        "time.sleep(0.5)\n"
        "for one in (int(open('pid').read()), os.getpid()):\n    os.kill(one, signal.SIGKILL)\n"
    )
    result = run(program)
    assert result.findings == (), result
    assert set(result.statuses) <= {-9, -6}, result
    assert not result.left, result


def test_coordinator_dies() -> None:
    # JAX aborts the others at once; the report must not blame them.
    program = ONE_AHEAD + "if rank == 0:\n    os.kill(os.getpid(), signal.SIGKILL)\ntime.sleep(10)\n"
    result = run(program)
    assert result.statuses[0] == -9, result
    assert result.findings == (), result
    assert any("rank 0 was killed by SIGKILL" in line for line in result.said), result
