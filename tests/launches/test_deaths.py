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


@pytest.mark.parametrize(
    ("end", "status", "way"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", -9, "was killed by SIGKILL"),
        ("os._exit(3)", 3, "exited with status 3 at once, by _exit"),
        ("os.abort()", -6, "was killed by SIGABRT"),
    ],
)
@pytest.mark.parametrize(
    "others",
    [
        pytest.param("time.sleep(10)\n", id="in a pause"),
        pytest.param("print(float(total(x)), flush=True)\n", id="in a launch"),
        pytest.param("while True:\n    pass\n", id="busy"),
        pytest.param("import faulthandler\nfaulthandler.enable()\ntime.sleep(10)\n", id="with faulthandler"),
    ],
)
def test_coordinator_dies(end: str, status: int, way: str, others: str) -> None:
    # JAX aborts the others at once; the report must not blame them.
    result = run(ONE_AHEAD + f"if rank == 0:\n    time.sleep(0.5)\n    {end}\n" + others, 3)
    assert result.statuses == (status, 66, 66), result
    (finding,) = result.findings
    assert (finding.code, finding.ranks) == ("JS503", (0, 1, 2)), result
    assert f"rank 0 ended ({way})" in finding.message or f"rank 0, which ended ({way})" in finding.message, result
    assert not result.left, result


def test_abort_of_another_process_is_its_own() -> None:
    result = run(ONE_AHEAD + "if rank == 1:\n    os.abort()\nprint(float(total(x)))\n")
    assert result.statuses == (66, -6), result
    (finding,) = result.findings
    assert "rank 1, which ended (was killed by SIGABRT)" in finding.message, result


def test_abort_that_the_program_handles_itself() -> None:
    program = ONE_AHEAD + (
        "signal.signal(signal.SIGABRT, lambda number, frame: print('handled', flush=True))\n"
        "os.kill(os.getpid(), signal.SIGABRT)\nprint(float(total(x)), flush=True)\n"
    )
    result = run(program)
    assert result.statuses == (0, 0), result
    assert all("handled" in text for text in result.out), result
    assert result.findings == (), result


def test_coordinator_dies_with_on_error_continue() -> None:
    program = ONE_AHEAD + "if rank == 0:\n    time.sleep(0.5)\n    os._exit(3)\ntime.sleep(10)\n"
    result = run(program, options={"on_error": "continue"})
    assert result.statuses == (3, -6), result
    (finding,) = result.findings
    assert "rank 0 ended (exited with status 3 at once, by _exit)" in finding.message, result
    assert not result.left, result


def test_process_0_ends_quickly_when_all_is_done() -> None:
    program = (
        ONE_AHEAD + "multihost_utils.sync_global_devices('end')\nif rank == 1:\n    time.sleep(0.05)\nos._exit(0)\n"
    )
    result = run(program)
    assert result.statuses == (0, 0), result
    assert result.findings == (), result
