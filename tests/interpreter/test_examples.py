"""Numbers and shapes for examples: they agree with what Python and numpy compute."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from jaxmpi_lint.interpreter.arrays import unknown
from jaxmpi_lint.interpreter.examples import OPERATORS, Example
from jaxmpi_lint.interpreter.operations import SliceValue
from jaxmpi_lint.interpreter.symbols import Symbol, Symbols, freeze
from jaxmpi_lint.interpreter.values import Library, Method

KNOWN = {"rows": 11, "columns": 3}


def read(symbols: Symbols, name: str) -> Symbol:
    """An option of the program."""
    return symbols.make("option", name, kind="int")


@pytest.mark.parametrize("seed", range(60))
def test_numbers_are_what_is_computed(seed: int) -> None:
    """Operations on two options and constants, in a random order."""
    random, symbols = Random(seed), Symbols()
    pairs: list[tuple[Any, Any]] = [(read(symbols, name), number) for name, number in KNOWN.items()]
    example = Example(dict(pairs))
    pairs += [(n, n) for n in (2, 5)]
    for _ in range(8):
        (one, left), (other, right) = random.choice(pairs), random.choice(pairs)
        name = random.choice([*OPERATORS, "min", "max", "sum"])
        if name in OPERATORS:
            made = symbols.make("operation", name, one, other)
            try:
                number = OPERATORS[name](left, right)
            except ZeroDivisionError:
                assert example.number(made) is None
                continue
        elif name == "sum":
            made, number = symbols.make("call", "sum", [one, other]), left + right
        else:
            made = symbols.make("call", Library(f"builtins.{name}"), one, other, {})
            number = min(left, right) if name == "min" else max(left, right)
        assert example.number(freeze(made)) == number
        pairs.append((made, number))


def test_own_numbers_are_not_assumed() -> None:
    """A number that one rank draws, or the result of an unknown call, is none that all ranks read."""
    symbols, example = Symbols(), Example({})
    assert example.number(symbols.make("option", "drawn", own=("random",))) is None
    assert example.number(symbols.make("item", "sizes", 0, is_guess=True)) is None
    assert not example.missing
    assert example.number(read(symbols, "rows")) is None
    assert list(example.missing) == [read(symbols, "rows")]


SHAPES: dict[str, tuple[Callable[[Symbols, Any, Any], Symbol], Callable[[int, int], np.ndarray[Any, Any]]]] = {
    "filled": (lambda s, n, m: s.make("filled", (n, m), 0), lambda n, m: np.zeros((n, m))),
    "empty": (lambda s, n, m: s.make("uninitialised", n), lambda n, m: np.empty(n)),
    "arange": (lambda s, n, m: s.make("arange", m, n, 2), lambda n, m: np.arange(m, n, 2)),
    "drawn": (lambda s, n, m: s.make("random", 0, "normal", (m, n), {}), lambda n, m: np.random.normal(size=(m, n))),
    "rows": (
        lambda s, n, m: s.make("part", unknown(s.make("filled", (n, m), 0)), SliceValue(1, m, None)),
        lambda n, m: np.zeros((n, m))[1:m],
    ),
    "a row": (
        lambda s, n, m: s.make("part", unknown(s.make("filled", (n, m), 0)), (m, SliceValue(None, None, 2))),
        lambda n, m: np.zeros((n, m))[m, ::2],
    ),
    "past the end": (
        lambda s, n, m: s.make("part", unknown(s.make("filled", n, 0)), SliceValue(n, None, None)),
        lambda n, m: np.zeros(n)[n:],
    ),
    "reshaped": (
        lambda s, n, m: s.make("reshaped", unknown(s.make("filled", (n, m), 0)), (m, -1), "C"),
        lambda n, m: np.zeros((n, m)).reshape(m, -1),
    ),
    "computed": (
        lambda s, n, m: s.make("operation", "*", unknown(s.make("filled", (n, m), 0)), 2.0),
        lambda n, m: np.zeros((n, m)) * 2.0,
    ),
    "converted": (
        lambda s, n, m: s.make("call", Library("numpy.sqrt"), unknown(s.make("filled", (n, m), 0)), {}),
        lambda n, m: np.sqrt(np.zeros((n, m))),
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_are_those_of_numpy(name: str) -> None:
    make, compute = SHAPES[name]
    symbols = Symbols()
    rows, columns = read(symbols, "rows"), read(symbols, "columns")
    example = Example({rows: KNOWN["rows"], columns: KNOWN["columns"]})
    array = compute(KNOWN["rows"], KNOWN["columns"])
    made = unknown(make(symbols, rows, columns))
    assert example.shape(freeze(made)) == array.shape
    assert example.size(freeze(made)) == array.size
    assert example.number(freeze(symbols.make("length", made))) == len(array)


def test_unequal_shapes_are_not_known() -> None:
    """Arrays of different shapes may be broadcast, and a selection may have any length."""
    symbols = Symbols()
    rows = read(symbols, "rows")
    example = Example({rows: 11})
    one, other = unknown(symbols.make("filled", rows, 0)), unknown(symbols.make("filled", (rows, 1), 0))
    assert example.shape(freeze(unknown(symbols.make("operation", "+", one, other)))) is None
    assert example.shape(freeze(unknown(symbols.make("selected", one, other)))) is None


@pytest.mark.parametrize("method", ["max", "min", "sum", "round", "abs", "int"])
def test_methods_are_no_functions_of_numbers(method: str) -> None:
    """``field.max(0)`` is not the largest of its arguments, nor is a function of another library."""
    symbols = Symbols()
    called = Method(unknown(symbols.make("filled", read(symbols, "rows"), 0)), method)
    example = Example({read(symbols, "rows"): 11})
    assert example.number(symbols.make("call", called, 0, {})) is None
    assert example.number(symbols.make("call", Library(f"torch.{method}"), 0, {})) is None


def test_impossible_numbers_are_not_known() -> None:
    """What Python refuses to compute is no error of the linter."""
    symbols = Symbols()
    rows = read(symbols, "rows")
    example = Example({rows: 10**30})
    endless = symbols.make("operation", "*", rows, float("inf"))
    array = unknown(symbols.make("filled", rows, 0))
    assert example.number(symbols.make("call", Library("builtins.int"), endless, {})) is None
    assert example.number(symbols.make("operation", "/", symbols.make("operation", "*", 10**300, rows), 3)) is None
    assert example.shape(freeze(unknown(symbols.make("filled", endless, 0)))) is None
    assert example.shape(freeze(unknown(symbols.make("range", rows)))) is None
    assert example.shape(freeze(unknown(symbols.make("part", array, SliceValue(None, None, 0))))) is None
