"""Calls of modelled functions with odd arguments, and that a failure of the linter would show."""

from __future__ import annotations

import importlib
import random
import warnings
from types import ModuleType

import pytest
from places import BENCHMARKS

from jaxmpi_lint.interpreter import products


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("odd_arguments")


def test_calls_are_python(odd: ModuleType) -> None:
    source = odd.calls(random.Random(1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        for _ in range(500):
            compile(odd.program([next(source)]), "odd", "exec")


def test_no_call_fails_in_the_linter(odd: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    status = odd.main(["--calls", "480", "--seed", "11"])
    assert status == 0, capsys.readouterr().out


def test_a_failure_is_shown(odd: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ArithmeticError("too odd")

    guilty = odd.Call("np.dot(np.ones((2, 2)), np.ones((2, 2)))")
    assert odd.failure(odd.program([guilty])) is None
    monkeypatch.setattr(products, "_cells", fails)
    assert list(odd.failing([odd.Call("len(a)"), guilty])) == [(guilty, "ArithmeticError: too odd")]


def test_calls_that_failed_once(odd: ModuleType) -> None:
    calls = (
        odd.Call("np.dot(np.full((2, 2), a), np.full((2, 2), a))"),
        odd.Call("np.prod(np.full(2, a))"),
        odd.Call("np.size(np.ones(2), axis=a)"),
        odd.Call("np.size(np.array(7), axis=rank)"),
        odd.Call("{1, 2}.issuperset()"),
        odd.Call("heapq.heapify()", "heapq"),
        odd.Call("os.path.join()", "os"),
        odd.Call("mpi4jax.gather(True, {1, 2})", "mpi4jax"),
    )
    assert [call for call in calls if odd.failure(odd.program([call])) is not None] == []
