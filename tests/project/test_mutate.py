"""The command that changes a package and runs its tests."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from places import ROOT

TOOLS = ROOT / "tools"
MODULE = """\
def between(value, low=0):
    if not value:
        return False
    return low < value and value != 7
"""
SMALL = "def above(value):\n    return value > 3\n"
TESTS = """\
from tiny.numbers import above


def test_above():
    assert above(4)
    assert not above(3)
"""
CHANGED = {
    (1, "0 -> 1"),
    (2, "not removed"),
    (3, "return removed"),
    (3, "False -> True"),
    (4, "and -> or"),
    (4, "< -> <="),
    (4, "!= -> =="),
    (4, "7 -> 8"),
}


@pytest.fixture
def mutate(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    return importlib.import_module("mutate")


def changed(mutate: ModuleType, text: str) -> set[tuple[int, str]]:
    return {(mutant.line, mutant.what) for mutant in mutate.mutants(Path("module.py"), text)}


def test_every_change_is_made_once_and_alone(mutate: ModuleType) -> None:
    mutants = list(mutate.mutants(Path("module.py"), MODULE))
    assert sorted((mutant.line, mutant.what) for mutant in mutants) == sorted(CHANGED)
    for mutant in mutants:
        lines = zip(mutant.text.splitlines(), MODULE.splitlines(), strict=True)
        assert sum(one != other for one, other in lines) == 1, mutant.text


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("x = a is not b", {"is not -> is"}),
        ("x = a not in b", {"not in -> in"}),
        ("x = a < b <= c", {"< -> <=", "<= -> <"}),
        ("x = True", {"True -> False"}),
        ("x: Literal[1] = y", set()),
        ("def f(a: Literal[1]) -> Literal[2]: ...", set()),
        ("@dataclass(frozen=True)\nclass A: ...", set()),
        ("if TYPE_CHECKING:\n    x = 1", set()),
        ("def f():\n    return 1 + x", {"1 -> 2"}),
        ("x = 'text', None, 1.5", set()),
    ],
)
def test_what_is_changed(mutate: ModuleType, text: str, what: set[str]) -> None:
    assert {found for _, found in changed(mutate, text)} == what


@pytest.mark.jobs
@pytest.mark.parametrize(
    ("tests", "status", "printed"),
    [
        (TESTS, 0, "2 of 2 mutants killed (100 %)\n"),
        (
            TESTS.replace("    assert not above(3)\n", ""),
            1,
            "survives: tiny/numbers.py:2: > -> >=\n1 of 2 mutants killed",
        ),
        (TESTS.replace("not above", "above"), 1, "error: the tests fail on the unchanged package"),
    ],
    ids=["all", "some", "tests that fail"],
)
def test_survivors_are_printed_and_counted(tmp_path: Path, tests: str, status: int, printed: str) -> None:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "__init__.py").touch()
    (tmp_path / "tiny" / "numbers.py").write_text(SMALL)
    (tmp_path / "test_numbers.py").write_text(tests)
    command = [sys.executable, str(TOOLS / "mutate.py"), "tiny", "--tests", "test_numbers.py", "--least", "100"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert printed in done.stdout + done.stderr
    assert (tmp_path / "tiny" / "numbers.py").read_text() == SMALL
