"""Whether the interpreter computes what Python computes: CPython's own tests, in which every assertion holds.

    python benchmarks/python_tests.py                # a selection of modules of `test`, two minutes
    python benchmarks/python_tests.py test_list test_dict --show

Each test method runs as a program of one rank, with a stand-in for `unittest` that reports each assertion. One line a
module: assertions that hold, those whose outcome the interpreter does not know, those that it computes wrongly,
exceptions that it raises although the test passes, tests that are cut, and those in which the interpreter itself fails,
which make the exit status 1. ``--show`` prints the lines of the wrong ones. Only what happens before the first choice
in a test counts, since a choice may be wrong.

Not all that is counted as wrong is a mistake: tests of the garbage collector, of the text of error messages and of what
a `compile` of a text gives need what the interpreter does not have.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import signal
import sys
import unittest
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import test

from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.interpreter.decisions import Decisions
from jaxmpi_lint.interpreter.entries import Entry
from jaxmpi_lint.interpreter.models import Arguments, Models
from jaxmpi_lint.interpreter.program import PARTS, Program
from jaxmpi_lint.interpreter.symbols import Symbols
from jaxmpi_lint.interpreter.values import Cut
from jaxmpi_lint.interpreter.world import World
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources.discovery import Tree

MODULES = """
test_augassign test_bool test_bytes test_collections test_compare test_contains test_contextlib test_copy
test_decorators test_defaultdict test_deque test_dict test_dictcomps test_dictviews test_enum
test_enumerate test_exceptions test_float test_format test_fstring test_functools test_generators test_int test_iter
test_itertools test_keywordonlyarg test_list test_math test_named_expressions test_operator test_ordered_dict
test_patma test_property test_raise test_random test_range test_richcmp test_scope test_set test_slice test_sort
test_string test_super test_tuple test_unpack test_userdict test_with
""".split()
_LIBRARY = Path(test.__file__).parent
_STUBS = Path(__file__).parent / "python_stubs"
_ROOT = "/example"
_MAX_STEPS = 100_000
_SECONDS = 10
"""Time limit of one test; a test that needs more is counted as cut."""


class Report:
    """The library `conformance`: the outcomes of the assertions of one test, and where they are."""

    def __init__(self) -> None:
        self.outcomes: list[tuple[str, str]] = []
        self.FUNCTIONS = {
            "conformance.check": self._check,
            "conformance.failed": self._failed,
            "conformance.unraised": lambda rank, arguments: self._add(rank, "unknown"),
            "conformance.stop": self._stop,
        }

    def _add(self, rank: Any, outcome: str) -> None:
        frame = next(frame for frame in reversed(rank.frames) if "unittest" not in frame.scope.module.ir.path)
        self.outcomes.append(
            ("unknown" if rank.world.decisions.made else outcome, place(frame.scope.module.ir, frame.span))
        )

    def _check(self, rank: Any, arguments: Arguments) -> None:
        value = arguments.get(0)
        self._add(rank, "unknown" if not isinstance(value, bool) else "right" if value else "wrong")

    def _failed(self, rank: Any, arguments: Arguments) -> None:
        self._add(rank, "wrong")

    def _stop(self, rank: Any, arguments: Arguments) -> None:
        raise Cut("the rest of this test")


def place(module: Any, span: tuple[int, int] | None) -> str:
    """The file and line of a span."""
    return f"{Path(module.path).name}:{bisect_right(module.line_starts, (span or (0, 0))[0])}"


def imported(text: str) -> set[str]:
    """The modules of `test` that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module == "test":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("test."):
            found.add((node.module or "").split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("test.")}
    return found - {"support"}


def sources(name: str) -> dict[str, str]:
    """The files of a program: a module of tests, those that it imports, and the stand-ins."""
    files = {
        "unittest/__init__.py": (_STUBS / "unittest.py").read_text(),
        "unittest/mock.py": "from conformance_others import *\n",
        "unittest/case.py": "from unittest import *\n",
        "test/__init__.py": "",
        "test/support/__init__.py": (_STUBS / "support.py").read_text(),
    }
    todo = {name}
    while todo:
        one = todo.pop()
        path = _LIBRARY / f"{one}.py"
        if f"test/{one}.py" not in files and path.exists():
            files[f"test/{one}.py"] = path.read_text()
            todo |= imported(files[f"test/{one}.py"])
    return files


def methods(name: str) -> Iterator[tuple[str, str]]:
    """The classes and methods of a module of tests."""
    for title, cls in vars(importlib.import_module(f"test.{name}")).items():
        if isinstance(cls, type) and issubclass(cls, unittest.TestCase) and cls.__module__ == f"test.{name}":
            yield from ((title, method) for method in unittest.defaultTestLoader.getTestCaseNames(cls))


def _too_late(signum: int, frame: FrameType | None) -> None:
    raise TimeoutError


def run(name: str) -> Iterator[tuple[str, str]]:
    """The outcomes of the assertions of a module, with their places."""
    files, tests = sources(name), list(methods(name))
    for number, (title, method) in enumerate(tests):
        files[f"main_{number}.py"] = f"import test.{name} as module\nt = module.{title}()\nt.setUp()\nt.{method}()\n"
    # Only files that communicate are read for the interpreter.
    contents = {f"{_ROOT}/{file}": f"{text}\nimport mpi4py\n".encode() for file, text in files.items()}
    request = Request(Settings(root=Path(_ROOT)), tuple(map(Path, contents)), _ROOT, contents)
    project = Engine(request, tree=Tree(_ROOT)).read({}).project
    signal.signal(signal.SIGALRM, _too_late)
    for number in range(len(tests)):
        program, report = Program(project), Report()
        program.models = Models([*PARTS, report])
        module = project.module(f"{_ROOT}/main_{number}.py")
        assert module is not None
        world = World(program, Symbols(), 1, Decisions({}), _MAX_STEPS)
        signal.alarm(_SECONDS)
        try:
            verdict = world.run(Entry(module.ir))
        except TimeoutError:
            yield "cut", name
            continue
        except Exception:  # an error of the interpreter: counted, so that the others are run
            yield "crashed", f"{tests[number][0]}.{tests[number][1]}"
            continue
        finally:
            signal.alarm(0)
        yield from report.outcomes
        if verdict.cut:
            yield "cut", name
        error = world.processes[0].error
        if error is not None and error.value.name != "SkipTest" and not world.decisions.made:
            yield "raised", place(*error.place) if error.place else name


def main() -> int:
    """Run the modules and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", default=MODULES, help="modules of the package `test`")
    parser.add_argument("--show", action="store_true", help="print the lines of what is computed wrongly")
    given = parser.parse_args()
    kinds = ("right", "unknown", "wrong", "raised", "cut", "crashed")
    print(f"{'module':<28}" + "".join(f"{kind:>9}" for kind in kinds))
    total: Counter[str] = Counter()
    for name in given.modules:
        outcomes = list(run(name))
        counts = Counter(outcome for outcome, _ in outcomes)
        total += counts
        print(f"{name:<28}" + "".join(f"{counts[kind]:>9}" for kind in kinds), flush=True)
        if given.show:
            lines = Counter(one for one in outcomes if one[0] in ("wrong", "raised", "crashed"))
            for (outcome, at), count in lines.items():
                print(f"    {outcome} {count} times at {at}", flush=True)
    print(f"{'all':<28}" + "".join(f"{total[kind]:>9}" for kind in kinds))
    return int(total["crashed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
