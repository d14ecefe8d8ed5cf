"""Tests of rules, ours and those of other projects: the examples in a rule and its folder of fixtures.

    import pytest
    from jaxmpi_lint import testing
    from my_rules import MyRule

    @pytest.mark.parametrize("case", testing.cases(MyRule, "tests/fixtures"), ids=str)
    def test_my_rule(case):
        case.check()

Lines where a finding starts carry ``#! CODE``; the marks are removed before the text is linted. Everything runs in
this process and no file is written.

A fixture is a file ``valid_NAME.py`` or ``invalid_NAME.py``, or a folder of such a name with the files of one program.
The arguments of an `Example` are given in a fixture beside its text:

* ``# target: mpi4jax=0.5.0 jax=0.5.0``, on a separate row: versions of the libraries, as in ``--target``;
* ``# settings: {"min-confidence": "low"}``, on a separate row: settings as in ``pyproject.toml``, written as JSON;
* ``invalid_NAME.fixed.py``, or a folder ``invalid_NAME.fixed``: the text after ``--fix --unsafe-fixes``.

These rows stay in the text that is linted, so row numbers are those of an editor. In a program of several files they
may be in any of them.

    python -m jaxmpi_lint.testing --all-rules [FOLDER]

prints the valid programs, of all rules and of the fixtures in a folder, in which a different rule has a finding without
a mark.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.command import report_builder
from jaxmpi_lint.engine import fix_loop
from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.findings.diagnostics import Diagnostic, Severity
from jaxmpi_lint.rules import registry
from jaxmpi_lint.rules.base import Example, Rule
from jaxmpi_lint.settings import pyproject
from jaxmpi_lint.settings.pyproject import parse_version
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources.discovery import Tree

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.model.project import Project

_MARK = re.compile(r"[ \t]*#![ \t]*((?:[A-Z]+[0-9]+[ \t]*)+)$", re.MULTILINE)
_OPTION = re.compile(r"^# (target|settings):(.*)$", re.MULTILINE)
_VERSION = re.compile(r"([\w-]+)=([\w.]+)")
_FILE = re.compile(r"^# file: (\S+)[ \t]*\n", re.MULTILINE)
_FIXED = ".fixed"
_ROOT = os.path.join(os.path.abspath(os.sep), "example")

Found = list[tuple[str, int, str]]  # file, row, code


@dataclass(frozen=True, slots=True)
class Case:
    """One program of a rule, with what is expected of it."""

    rule: type[Rule]
    name: str
    texts: Mapping[str, str]
    valid: bool
    fixed: Mapping[str, str] | None = None
    target: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.rule.code}-{self.name}"

    def check(self) -> None:
        """Lint the program and compare: the findings with the marks, the text after all fixes with ``fixed``."""
        expected = self._expected()
        engine = self._engine({code for *_, code in expected})
        self._compare(engine, expected)
        if self.fixed is not None:
            self._check_repair(engine)

    def read(self) -> Project:
        """The program as rules see it."""
        return self._engine(()).read({}).project

    def check_with_all_rules(self) -> None:
        """Lint the program with every rule, those in preview too, and compare all findings with the marks."""
        self._compare(self._engine({rule.code for rule in registry.load()}), self._expected())

    def _expected(self) -> Found:
        """The marks; those of the own rule only in a program that it is to find something in."""
        expected = marks(self.texts)
        if self.valid != (not any(code == self.rule.code for *_, code in expected)):
            state = "carries a mark" if self.valid else "has no mark `#! CODE`"
            raise AssertionError(
                f"{self}: a {'valid' if self.valid else 'invalid'} program {state} of {self.rule.code}"
            )
        return expected

    def _compare(self, engine: Engine, expected: Found) -> None:
        outcome = engine.analyse({})
        if outcome.failures:
            raise AssertionError("\n".join((f"{self}: {outcome.failures[0]}", *outcome.notes[-1:])))
        shown = report_builder.wanted(outcome.diagnostics, engine.settings)
        found = sorted((os.path.relpath(d.filename, _ROOT), d.start.row, d.code) for d in shown)
        if found != expected:
            raise AssertionError(_difference(self, expected, found, shown))

    def _engine(self, others: Collection[str]) -> Engine:
        codes = {self.rule.code, *others}
        known = {rule.code: rule for rule in registry.merge({*registry.load(), self.rule})}
        extra: dict[str, Any] = pyproject.interpret(dict(self.settings), Path("example"), "", Path(_ROOT))
        also = tuple(extra.pop("select", ()))
        codes.update(code for code in known if code.startswith(also))
        targets = {name: parse_version(text) or () for name, text in self.target.items()}
        settings = Settings(**{"root": Path(_ROOT), "targets": targets, "min_severity": Severity.INFO, **extra})
        contents = {os.path.join(_ROOT, name): _MARK.sub("", text).encode() for name, text in self.texts.items()}
        request = Request(settings, tuple(Path(path) for path in contents), os.sep, contents, _names(contents))
        return Engine(request, tree=Tree(_ROOT), rules=[known[code] for code in sorted(codes)])

    def _check_repair(self, engine: Engine) -> None:
        repaired = fix_loop.repair(
            engine,
            engine.analyse({}),
            True,
            lambda outcome: report_builder.wanted(outcome.diagnostics, engine.settings),
        )
        for name, text in (self.fixed or {}).items():
            path = os.path.join(_ROOT, name)
            after = repaired.contents.get(path, engine.request.overrides[path]).decode()
            if after != _MARK.sub("", text):
                raise AssertionError(f"{self}: {name} after all repairs is\n{after}\nand not\n{_MARK.sub('', text)}")


def cases(rule: type[Rule], fixtures: str | os.PathLike[str] | None = None) -> list[Case]:
    """The examples of a rule, and the programs in the folder of its code below ``fixtures``."""
    found = [
        _example_case(rule, f"{kind}-{index}", example, kind == "valid")
        for kind, examples in (("valid", rule.VALID), ("invalid", rule.INVALID))
        for index, example in enumerate(examples, 1)
    ]
    folder = Path(fixtures) / rule.code if fixtures is not None else None
    if folder is not None and folder.is_dir():
        found += [_fixture_case(rule, path) for path in sorted(folder.iterdir()) if _is_fixture(path)]
    return found


def lint(texts: Mapping[str, str], rules: Sequence[type[Rule]] | None = None, **settings: Any) -> list[Diagnostic]:
    """All findings in programs given by file name, with all rules or some."""
    contents = {os.path.join(_ROOT, name): text.encode() for name, text in texts.items()}
    own = Settings(**{"root": Path(_ROOT), **settings})
    request = Request(own, tuple(Path(path) for path in contents), _ROOT, contents)
    return list(Engine(request, tree=Tree(_ROOT), rules=rules).analyse({}).diagnostics)


def files(text: str, name: str = "example.py") -> dict[str, str]:
    """The files of an example: one, or several with a line ``# file: NAME`` before each; without common indentation."""
    text = textwrap.dedent(text).removeprefix("\n")
    pieces = _FILE.split(text)
    if len(pieces) == 1:
        return {name: text}
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def unmarked(text: str) -> str:
    """A program without its marks, as it is linted."""
    return _MARK.sub("", text)


def marks(texts: Mapping[str, str]) -> Found:
    """The findings that the marks expect, sorted."""
    return sorted(
        (name, text.count("\n", 0, match.start()) + 1, code)
        for name, text in texts.items()
        for match in _MARK.finditer(text)
        for code in match[1].split()
    )


def _example_case(rule: type[Rule], name: str, example: str | Example, valid: bool) -> Case:
    if isinstance(example, str):
        return Case(rule, name, files(example), valid)
    fixed = None if example.fixed is None else files(example.fixed)
    return Case(rule, name, files(example.source), valid, fixed, example.target, example.settings)


def _is_fixture(path: Path) -> bool:
    name = path.name.removesuffix(".py")
    return name.startswith(("valid", "invalid")) and not name.endswith(_FIXED) and (path.is_dir() or name != path.name)


def _fixture_case(rule: type[Rule], path: Path) -> Case:
    texts = _texts(path)
    target, settings = _options(path, texts.values())
    return Case(rule, path.stem, texts, path.name.startswith("valid"), _fixed_texts(path), target, settings)


def _texts(path: Path) -> dict[str, str]:
    """The files of a fixture by their names in the program."""
    if not path.is_dir():
        return {path.name: path.read_text(encoding="utf-8")}
    members = sorted(path.rglob("*.py"))
    return {member.relative_to(path).as_posix(): member.read_text(encoding="utf-8") for member in members}


def _fixed_texts(path: Path) -> dict[str, str] | None:
    """The fixed files of a fixture by their names in the program, if it has any."""
    beside = path.with_name(f"{path.stem}{_FIXED}{path.suffix}")
    if not beside.exists():
        return None
    return _texts(beside) if beside.is_dir() else {path.name: beside.read_text(encoding="utf-8")}


def _options(path: Path, texts: Iterable[str]) -> tuple[dict[str, str], dict[str, object]]:
    """The values of the rows ``# target:`` and ``# settings:`` of a fixture."""
    target: dict[str, str] = {}
    settings: dict[str, object] = {}
    for row in (row for text in texts for row in _OPTION.finditer(text)):
        try:
            if row[1] == "target":
                target |= _versions(row[2])
            else:
                settings |= json.loads(row[2])
        except (ValueError, TypeError) as error:
            raise ValueError(f"{path}: cannot read the row {row[0]!r}: {error}") from error
    return target, settings


def _versions(text: str) -> dict[str, str]:
    pairs = [_VERSION.fullmatch(word) for word in text.split()]
    if not pairs or None in pairs:
        raise ValueError("it has the form `# target: PACKAGE=VERSION ...`")
    return {pair[1]: pair[2] for pair in pairs if pair is not None}


def _names(contents: Iterable[str]) -> dict[str, str]:
    return {path: path for path in contents}


def _difference(case: Case, expected: Found, found: Found, shown: Sequence[Diagnostic]) -> str:
    lines = [f"{case}: findings and marks differ"]
    lines += [f"  missing: {name}:{row} {code}" for name, row, code in expected if (name, row, code) not in found]
    lines += [f"  not marked: {name}:{row} {code}" for name, row, code in found if (name, row, code) not in expected]
    lines += [f"  reported: {d.filename}:{d.start.row}:{d.start.column} {d.code} {d.message}" for d in shown]
    if sorted(set(expected)) == sorted(set(found)):
        lines.append("  a finding is reported more than once on a line that is marked once")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print each valid program in which some rule has a finding without a mark; exit with 1 if there is one."""
    parser = argparse.ArgumentParser(prog="python -m jaxmpi_lint.testing", description=main.__doc__)
    parser.add_argument("--all-rules", action="store_true", required=True, help="lint the programs with every rule")
    parser.add_argument("folder", nargs="?", default="tests/fixtures", help="the fixtures (default: %(default)s)")
    options = parser.parse_args(arguments)
    loud = 0
    for case in (case for rule in registry.load() for case in cases(rule, options.folder) if case.valid):
        try:
            case.check_with_all_rules()
        except AssertionError as error:
            loud += 1
            print(error)
    return 1 if loud else 0


if __name__ == "__main__":
    raise SystemExit(main())
