"""Tests of rules, ours and those of other projects: the examples in a rule and its folder of fixtures.

    import pytest
    from jaxmpi_lint import testing
    from my_rules import MyRule

    @pytest.mark.parametrize("case", testing.cases(MyRule, "tests/fixtures"), ids=str)
    def test_my_rule(case):
        case.check()

Lines where a finding starts carry ``#! CODE``; the marks are taken out before the text is linted. Everything runs in
this process and nothing is written.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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

_MARK = re.compile(r"[ \t]*#![ \t]*((?:[A-Z]+[0-9]+[ \t]*)+)$", re.MULTILINE)
_FILE = re.compile(r"^# file: (\S+)[ \t]*\n", re.MULTILINE)
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
        """Lint the program and compare: the findings with the marks, the text after all repairs with ``fixed``."""
        expected = marks(self.texts)
        if self.valid != (not any(code == self.rule.code for *_, code in expected)):
            state = "carries a mark" if self.valid else "has no mark `#! CODE`"
            raise AssertionError(
                f"{self}: a {'valid' if self.valid else 'invalid'} program {state} of {self.rule.code}"
            )
        engine = self._engine({code for *_, code in expected})
        outcome = engine.analyse({})
        if outcome.failures:
            raise AssertionError("\n".join((f"{self}: {outcome.failures[0]}", *outcome.notes[-1:])))
        shown = report_builder.wanted(outcome.diagnostics, engine.settings)
        found = sorted((os.path.relpath(d.filename, _ROOT), d.start.row, d.code) for d in shown)
        if found != expected:
            raise AssertionError(_difference(self, expected, found, shown))
        if self.fixed is not None:
            self._check_repair(engine)

    def _engine(self, marked: Collection[str]) -> Engine:
        codes = {self.rule.code, *marked}
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
    """The files of an example: one, or several with a line ``# file: NAME`` before each; common indentation goes."""
    text = textwrap.dedent(text).removeprefix("\n")
    pieces = _FILE.split(text)
    if len(pieces) == 1:
        return {name: text}
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


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
    return path.name.startswith(("valid", "invalid")) and (path.is_dir() or path.suffix == ".py")


def _fixture_case(rule: type[Rule], path: Path) -> Case:
    members: Iterable[Path] = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    base = path if path.is_dir() else path.parent
    texts = {member.relative_to(base).as_posix(): member.read_text(encoding="utf-8") for member in members}
    return Case(rule, path.stem, texts, path.name.startswith("valid"))


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
