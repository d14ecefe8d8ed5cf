"""Mutation testing of a package: the number of small defects that its tests detect.

    python tools/mutate.py jaxmpi_lint/analysis/conditions --tests tests/analysis/conditions --least 80

Each mutant is a copy of the package with one change: a comparison or a logical operator inverted, a `not` removed, True
for False, an integer increased by one, a return from the middle of a function removed. The tests run on each in a
separate process, until one fails (the mutant is killed) or time is up (it is killed as well: it does not end). The
output lists the mutants that survive, and the number that were killed; with `--least` the exit code is 1 if the killed
share was smaller, in percent. `--sample` takes this number of mutants, chosen at random by `--seed`.
"""

from __future__ import annotations

import argparse
import ast
import copy
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ELSEWHERE = 99  # exit code if the tests would import a different copy of the package
# An editable installation takes precedence over the path: its finder is removed.
RUNNER = f"""
import sys
folder, package, *arguments = sys.argv[1:]
sys.meta_path[:] = [one for one in sys.meta_path if "editable" not in f"{{type(one).__module__}} {{one!r}}".lower()]
sys.path.insert(0, folder)
if not __import__(package).__file__.startswith(folder):
    sys.exit({ELSEWHERE})
import pytest
sys.exit(pytest.main(arguments))
"""

Change = Callable[[ast.AST], None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one change."""

    path: Path
    line: int
    what: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


def mutants(path: Path, text: str) -> Iterator[Mutant]:
    """Every mutant of a module."""
    tree = ast.parse(text)
    nodes = list(_nodes(tree))
    places = {id(node): number for number, node in enumerate(ast.walk(tree))}
    for node in nodes:
        for line, what, change in _changes(node):
            copied = copy.deepcopy(tree)
            change(list(ast.walk(copied))[places[id(node)]])
            yield Mutant(path, line, what, ast.unparse(copied) + "\n")


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes evaluated when functions run; no annotations, decorators or imports for types."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params") or _is_for_types(node):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _nodes(child)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _changes(node: ast.AST) -> Iterator[tuple[int, str, Change]]:
    """The possible changes of one node: the line, a description, and the change."""
    line = getattr(node, "lineno", 0)
    match node:
        case ast.Compare():
            for number, one in enumerate(node.ops):
                other = COMPARISONS[type(one)]
                yield line, f"{_word(type(one))} -> {_word(other)}", _compare(number, other)
        case ast.BoolOp(op=ast.And()):
            yield line, "and -> or", lambda found: setattr(found, "op", ast.Or())
        case ast.BoolOp():
            yield line, "or -> and", lambda found: setattr(found, "op", ast.And())
        case ast.UnaryOp(op=ast.Not()):
            yield line, "not removed", _twice_not
        case ast.Constant(value=bool(value)):
            yield line, f"{value} -> {not value}", lambda found: setattr(found, "value", not value)
        case ast.Constant(value=int(number)):
            yield line, f"{number} -> {number + 1}", lambda found: setattr(found, "value", number + 1)
        case ast.If() | ast.For() | ast.While() | ast.With() | ast.Try():
            yield from _early_returns(node)
        case _:
            return


def _word(operator: type[ast.cmpop]) -> str:
    return ast.unparse(ast.Compare(ast.Name("a"), [operator()], [ast.Name("b")])).strip("ab ")


def _compare(number: int, other: type[ast.cmpop]) -> Change:
    def change(found: ast.AST) -> None:
        assert isinstance(found, ast.Compare)
        found.ops[number] = other()

    return change


def _twice_not(found: ast.AST) -> None:
    assert isinstance(found, ast.UnaryOp)
    found.operand = ast.UnaryOp(ast.Not(), found.operand)


def _early_returns(node: ast.AST) -> Iterator[tuple[int, str, Change]]:
    """The returns directly in a block of a statement."""
    for name in ("body", "orelse", "finalbody"):
        for number, one in enumerate(getattr(node, name, [])):
            if isinstance(one, ast.Return):
                yield one.lineno, "return removed", _without_return(name, number)


def _without_return(name: str, number: int) -> Change:
    return lambda found: getattr(found, name).__setitem__(number, ast.Pass())


@dataclass(frozen=True, slots=True)
class Trial:
    """A copy of a package in which one module at a time is changed."""

    package: Path  # the top of it
    folder: Path  # where its copy is
    tests: Sequence[str]
    seconds: float

    def killed(self, mutant: Mutant) -> bool:
        """Whether a test fails, or the tests do not end."""
        copied = self.folder / self.package.name / mutant.path.resolve().relative_to(self.package)
        original = copied.read_text(encoding="utf-8")
        copied.write_text(mutant.text, encoding="utf-8")
        try:
            return not self.passes()
        finally:
            copied.write_text(original, encoding="utf-8")

    def passes(self) -> bool:
        """Whether all tests pass on the current state of the copy."""
        tests = [str(Path(test).resolve()) for test in self.tests]
        options = ["-x", "-q", "-p", "no:cacheprovider", "--rootdir", str(Path.cwd())]
        settings = Path.cwd() / "pyproject.toml"
        options += ["-c", str(settings)] if settings.exists() else []
        command = [sys.executable, "-B", "-c", RUNNER, str(self.folder), self.package.name, *options, *tests]
        try:
            done = subprocess.run(command, cwd=self.folder, capture_output=True, timeout=self.seconds, check=False)
        except subprocess.TimeoutExpired:
            return False
        if done.returncode == ELSEWHERE:
            raise SystemExit(f"error: the tests do not import the copy of {self.package.name}")
        return done.returncode == 0


def top_of(path: Path) -> Path:
    """The outermost folder of the package that a module or folder belongs to."""
    folder = path if path.is_dir() else path.parent
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


def main() -> int:
    """Print the mutants that survive; 1 if too few are killed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a package of modules to change, or one module")
    parser.add_argument("--tests", nargs="+", required=True, help="the tests that should detect the changes")
    parser.add_argument("--seconds", type=float, default=60.0, help="limit for the tests of one mutant (60)")
    parser.add_argument("--least", type=float, default=0.0, help="percentage to be killed")
    parser.add_argument("--sample", type=int, help="number of mutants")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample (1)")
    given = parser.parse_args()
    modules = sorted(given.folder.rglob("*.py")) if given.folder.is_dir() else [given.folder]
    found = [mutant for path in modules for mutant in mutants(path, path.read_text(encoding="utf-8"))]
    if given.sample is not None and given.sample < len(found):
        found = random.Random(given.seed).sample(found, given.sample)
    package = top_of(given.folder.resolve())
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name).resolve()
        shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
        trial = Trial(package, folder, given.tests, given.seconds)
        if not trial.passes():
            raise SystemExit("error: the tests fail on the unchanged package, or do not end in time")
        return _tried(trial, found, given.least)


def _tried(trial: Trial, found: Sequence[Mutant], least: float) -> int:
    killed = 0
    for mutant in found:
        if trial.killed(mutant):
            killed += 1
        else:
            print(f"survives: {mutant}", flush=True)
    percent = 100 * killed / len(found) if found else 100.0
    print(f"{killed} of {len(found)} mutants killed ({percent:.0f} %)")
    return int(percent < least)


if __name__ == "__main__":
    raise SystemExit(main())
