"""Where nothing can be checked that is said in one line, and the program is left alone."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from textwrap import indent

import pytest

from .cases import ARRAY, MISTAKES
from .jobs import PRELUDE, environment, run

pytestmark = pytest.mark.runs_jax

BEGIN = "jax.distributed.initialize("
PROGRAM = (
    ARRAY + "total = jax.jit(lambda x: x.sum())\nfor _ in range(4):\n    y = total(x)\nprint(float(y), flush=True)\n"
)
REASONS = {
    "too old": ("jax.__version_info__ = (0, 7, 2)\n", "jax 0.8 or newer is needed"),
    "another jax": ("from jax._src import compiler\ndel compiler.compile_or_get_cached\n", "it lacks"),
    "blind": (
        "from jax._src.interpreters import pxla\n"
        "pxla.MeshExecutableFastpathData._replace = lambda self, **changes: self\n",
        "1 and 3 of 3 launches",
    ),
    "recoverable": ("jax.config.update('jax_enable_recoverability', True)\n", "jax_enable_recoverability"),
}


def prelude_with(before: str) -> str:
    return PRELUDE.replace(BEGIN, before + BEGIN)


@pytest.mark.parametrize("reason", [
    pytest.param(name, marks=[] if name == "blind" else [pytest.mark.soak]) for name in REASONS
])  # fmt: skip
def test_one_clear_line(reason: str) -> None:
    before, said = REASONS[reason]
    # Without the module that compiles nothing can be launched; a recoverable process aborts when the first one ends.
    short = {"another jax": "print(size)\n", "recoverable": "import time\ntime.sleep(2 - 2 * rank)\nos._exit(0)\n"}
    program = short.get(reason, PROGRAM)
    result = run(program, prelude=prelude_with(before))
    assert result.statuses == (0, 0), result
    lines = {line for line in result.said if "NOT CHECKING" in line}
    assert len(lines) == 1, result
    assert said in lines.pop(), result
    assert not any("Traceback" in text for text in result.err), result
    assert result.findings == (), result
    assert not result.left, result


@pytest.mark.soak
def test_one_process_that_is_not_checked_is_not_taken_for_one_that_left() -> None:
    before = REASONS["blind"][0].splitlines()
    result = run(PROGRAM, prelude=prelude_with(f"if rank == 1:\n    {before[0]}\n    {before[1]}\n"))
    assert result.statuses == (0, 0), result
    assert result.findings == (), result
    assert any("NOT CHECKING" in line for line in result.said), result


@pytest.mark.soak
def test_other_process_without_the_sanitizer() -> None:
    result = run(PROGRAM, each=({}, {"JAXMPI_SANITIZE": "0"}), options={"attach_seconds": 0})
    assert result.statuses == (0, 0), result
    assert any("checking the launches of 1 of 2 JAX processes" in line for line in result.said), result
    assert result.findings == (), result


@pytest.mark.soak
def test_off_imports_nothing() -> None:
    program = PROGRAM + "import sys\nprint([name for name in sys.modules if name.startswith('jaxmpi')])\n"
    result = run(program, sanitize="0")
    assert result.statuses == (0, 0), result
    assert all("[]" in text for text in result.out), result
    assert result.said == [], result


@pytest.mark.soak
def test_one_process_is_no_job() -> None:
    result = run("print(jax.numpy.ones(3).sum())\n", 1)
    assert (result.statuses, result.said) == ((0,), []), result


OPPOSITE = next(one for one in MISTAKES if one.name == "c2-opposite-order")


@pytest.mark.soak
def test_suppressed(tmp_path: Path) -> None:
    # The launches go on; that is the program's own risk.
    patterns = tmp_path / "patterns"
    patterns.write_text("JS501 file:*program.py on purpose\n")
    result = run(OPPOSITE.text, options={"suppressions": patterns})
    assert result.codes == set(), result
    assert result.statuses == (0, 0), result
    assert any("suppressed 2 x JS501" in line for line in result.said), result


@pytest.mark.soak
def test_on_error_raise() -> None:
    caught = (
        ARRAY + "one, other = mapped(lambda x: jax.lax.psum(x, 'x')), mapped(lambda x: jax.lax.pmax(x, 'x'))\n"
        "try:\n    (one, other)[rank](x)\nexcept RuntimeError as error:\n"
        "    print('caught', str(error)[:5], flush=True)\n    os._exit(5)\n"
    )
    result = run(caught, options={"on_error": "raise"})
    assert "JS501" in result.codes, result
    assert any("caught JS501" in text for text in result.out), result


@pytest.mark.soak
def test_on_error_raise_before_an_exchange() -> None:
    caught = (
        "try:\n    multihost_utils.process_allgather(np.ones(3, (np.float32, np.int32)[rank]))\n"
        "except RuntimeError as error:\n    print('caught', str(error)[:5], flush=True)\n    os._exit(5)\n"
    )
    result = run(caught, options={"on_error": "raise"})
    assert "JS505" in result.codes, result
    assert any("caught JS505" in text for text in result.out), result


@pytest.mark.soak
def test_on_error_continue() -> None:
    result = run(OPPOSITE.text, options={"on_error": "continue"})
    assert result.codes == {"JS501"}, result
    assert result.statuses == (0, 0), result


def test_slow_process_is_no_error() -> None:
    program = ARRAY + (
        "import time\ntotal = jax.jit(lambda x: x.sum())\nfor _ in range(3):\n    y = total(x)\n"
        "if rank == 1:\n    time.sleep(4)\nprint(float(total(x)), flush=True)\n"
    )
    result = run(program, options={"stall_seconds": 1})
    assert result.statuses == (0, 0), result
    assert result.codes == {"JS204"}, result
    (notice,) = result.findings
    assert notice.severity == "info", result
    assert {place.rank for place in notice.places} == {0, 1}, result


@pytest.mark.parametrize(("before", "said"), [("", "launches are checked"), *list(REASONS.values())[:3]])
def test_doctor_says_the_same(before: str, said: str, tmp_path: Path) -> None:
    jax = environment()
    lines = ["import sys", "if sys.orig_argv[-1:] == ['jax']:", indent("import jax\n" + before, "    ")]
    (tmp_path / "sitecustomize.py").write_text("\n".join(lines))
    done = subprocess.run(
        [jax.python, "-m", "jaxmpi_lint.runtime.commands.command", "doctor"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=False, timeout=120, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    (line,) = [line for line in done.stdout.splitlines() if " JAX: " in line]
    assert said in line, done
    assert line.startswith("--" if before else "ok"), done
