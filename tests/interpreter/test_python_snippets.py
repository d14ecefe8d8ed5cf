"""What the interpreter knows of a program is what Python itself computes.

Each snippet calls ``show``; it is run by Python, and by the interpreter as one rank. Values that the interpreter does
not know are left out of the comparison.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter.running import explored
from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.decisions import Decisions
from jaxmpi_lint.interpreter.entries import Entry
from jaxmpi_lint.interpreter.models import Arguments, Models
from jaxmpi_lint.interpreter.program import PARTS, Program
from jaxmpi_lint.interpreter.symbols import Symbols
from jaxmpi_lint.interpreter.world import World
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources.discovery import Tree

SNIPPETS = sorted((Path(__file__).parent / "python_snippets").glob("*.py"))
_DATA = (int, float, complex, bool, str, bytes, type(None))
_UNKNOWN = "?"
_LEAST_KNOWN = {"long_loops": 0.25}
"""The share of values that must be known, where it is not three quarters."""


class _Shown:
    """A library with the function ``show``."""

    def __init__(self) -> None:
        self.lines: list[tuple[Any, ...]] = []
        self.FUNCTIONS = {"snippets.show": self._show}

    def _show(self, rank: Any, arguments: Arguments) -> None:
        is_chosen = bool(rank.world.decisions.made)
        self.lines.append(tuple(_UNKNOWN if is_chosen else _plain(one) for one in arguments.values))


def _plain(value: Any) -> Any:
    """A value as data of Python; `_UNKNOWN` for what the interpreter does not know."""
    if isinstance(value, _DATA):
        return value
    if isinstance(value, GuessedList) or not isinstance(value, (list, tuple, set, frozenset, dict)):
        return _UNKNOWN
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    made = [_plain(one) for one in value]
    if _UNKNOWN in made:
        return _UNKNOWN
    return made if isinstance(value, list) else tuple(made) if isinstance(value, tuple) else set(made)


def _interpreted(text: str) -> list[tuple[Any, ...]]:
    root, shown = "/example", _Shown()
    # Only files that communicate are read for the interpreter.
    contents = {f"{root}/main.py": f"from snippets import show\nimport mpi4py\n{text}".encode()}
    request = Request(Settings(root=Path(root)), tuple(map(Path, contents)), root, contents)
    program = Program(Engine(request, tree=Tree(root)).read({}).project)
    program.models = Models([*PARTS, shown])
    module = program.project.module(f"{root}/main.py")
    assert module is not None
    world = World(program, Symbols(), 1, Decisions({}), 50_000)
    verdict = world.run(Entry(module.ir))
    assert not verdict.cut, verdict.cut
    assert world.processes[0].error is None
    return shown.lines


def _run(text: str) -> list[tuple[Any, ...]]:
    lines: list[tuple[Any, ...]] = []
    exec(compile(text, "snippet", "exec"), {"show": lambda *values: lines.append(values), "__name__": "__main__"})
    return lines


@pytest.mark.parametrize("path", SNIPPETS, ids=lambda path: path.stem)
def test_known_values_are_those_of_python(path: Path) -> None:
    text = path.read_text()
    expected, found = _run(text), _interpreted(text)
    assert len(found) == len(expected)
    pairs = [pair for line in zip(found, expected, strict=True) for pair in zip(*line, strict=True)]
    known = [(one, other) for one, other in pairs if one != _UNKNOWN]
    assert [pair for pair in known if pair[0] != pair[1]] == []
    assert len(known) >= _LEAST_KNOWN.get(path.stem, 0.75) * len(pairs)


@pytest.mark.parametrize(
    "call",
    [
        "itertools.islice([1])",
        "itertools.islice([1], -1)",
        "itertools.permutations([1], 1, 2)",
        "range(1, 2, 3, 4)",
        "collections.deque([], maxlen=-1)",
        "next(running)",
        "re.compile(open('a').read()).match('b')",
        "re.compile('(').match('b')",
        "re.match('(a)', 'a').group(itself)",
        "bytes(10**12)",
        "format(1, '1000000d')",
        "Table(3)",
        "Items(3)[itself]",
        "functools.singledispatch(itself)()",
        "functools.total_ordering(Table)(1) < Table(2)",
    ],
)
def test_wrong_arguments_do_not_fail_the_interpreter(call: str) -> None:
    text = f"""
import collections
import functools
import itertools
import re
from mpi4py import MPI

class Table(dict):
    pass

class Items(list):
    pass

def itself():
    yield next(running)

running = itself()
MPI.COMM_WORLD.Barrier()
{call}
"""
    assert [one.failure for one in explored(text)] == [None]
