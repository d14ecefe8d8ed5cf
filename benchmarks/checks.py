"""Invariants of the linter for any input text, checked on one program in this process."""

from __future__ import annotations

import ast
import io
import os
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import libcst

from jaxmpi_lint.analysis.frontend.syntax_walk import Tree
from jaxmpi_lint.command import report_builder
from jaxmpi_lint.engine import fix_loop
from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.engine.outcome import Outcome
from jaxmpi_lint.findings.diagnostics import Confidence, Diagnostic, Severity
from jaxmpi_lint.reporters import FORMATS, render
from jaxmpi_lint.rewrite import apply_edits
from jaxmpi_lint.rules import registry
from jaxmpi_lint.rules.base import Finding, TreeRule
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources import decode
from jaxmpi_lint.sources.discovery import Tree as Files
from jaxmpi_lint.sources.prefilter import Everything

ROOT = os.path.join(os.path.abspath(os.sep), "fuzz")
_PACKAGE = str(Path(apply_edits.__file__).parent.parent)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result for a program; ``failures`` are lines that start with a kind and a colon.

    ``state`` is ``analysed``, ``not analysed`` (JM002), ``unparsable`` (JM001) or ``disputed``: unparsable for the
    linter, but not for the running Python.
    """

    state: str
    findings: int = 0
    repairs: int = 0
    failures: tuple[str, ...] = ()


class Spans(TreeRule):
    """The spans of leaves hold the text of these leaves, and the tree of a faithful module is its text."""

    code = "FUZZ001"
    name = "spans"
    severity = Severity.ERROR
    listens = (libcst.Module, libcst.Name, libcst.SimpleString, libcst.Integer, libcst.Float)
    complaints: ClassVar[list[str]] = []

    def visit(self, node: libcst.CSTNode, tree: Tree) -> Iterator[Finding]:
        """Report nothing, because a comment in the text could suppress it."""
        if not tree.module.faithful:
            return iter(())
        if isinstance(node, libcst.Module):
            if node.code != tree.module.text:
                self.complaints.append("round trip: a faithful module's tree is not its text")
        elif tree.module.text[slice(*tree.span(node))] != getattr(node, "value", None):
            self.complaints.append(f"span: {getattr(node, 'value', node)!r} is not at {tree.span(node)}")
        return iter(())


def check(name: str, data: bytes) -> Verdict:
    """Lint a program with all rules, fix it, show the findings; no file is read or written."""
    Spans.complaints.clear()
    warnings.simplefilter("ignore")
    try:
        return _check(os.path.join(ROOT, name), data)
    except Exception as error:
        return Verdict("analysed", failures=(_described(error),))


def _check(path: str, data: bytes) -> Verdict:
    engine = _engine(path, data)
    outcome = engine.analyse({})
    codes = {diagnostic.code for diagnostic in outcome.diagnostics}
    state = "unparsable" if "JM001" in codes else "not analysed" if "JM002" in codes else "analysed"
    if state == "unparsable" and _python_reads(data):
        state = "disputed"
    failures = list(Spans.complaints[:1])
    if state == "analysed":
        failures += _round_trip(path, data)
    repaired = fix_loop.repair(engine, outcome, True, lambda found: found.diagnostics)
    failures += [f"repair: {note}" for note in repaired.notes]
    if path in repaired.contents:
        failures += _repaired(path, data, repaired.contents[path])
    _show(_engine(path, data), outcome)
    return Verdict(state, len(outcome.diagnostics), repaired.count, tuple(failures))


def _engine(path: str, data: bytes) -> Engine:
    settings = Settings(
        Path(ROOT), preview=True, min_confidence=Confidence.LOW, min_severity=Severity.INFO, no_cache=True, jobs=1
    )
    request = Request(settings, (Path(path),), ROOT, {path: data})
    return Engine(request, tree=Files(ROOT), rules=[*registry.load(), Spans], prefilter=Everything(settings))


def _round_trip(path: str, data: bytes) -> list[str]:
    loaded = decode.load(path, data)
    return [] if loaded.encode(loaded.text) == data else ["bytes: the text does not reproduce the file's bytes"]


def _repaired(path: str, before: bytes, after: bytes) -> list[str]:
    """Check that a fixed program is valid and has nothing left to fix."""
    failures: list[str] = []
    if _python_reads(before) and not _python_reads(after):
        failures.append("repair: Python cannot parse the result")
    left = apply_edits.plan(_engine(path, after).analyse({}).diagnostics, unsafe=True)
    if left:
        failures.append(f"idempotence: a second run repairs {_codes(left)} again")
    return failures


def _codes(diagnostics: Sequence[Diagnostic]) -> str:
    return ", ".join(sorted({diagnostic.code for diagnostic in diagnostics}))


def _show(engine: Engine, outcome: Outcome) -> None:
    """Check that every format can show the findings."""
    if not outcome.diagnostics:
        return
    report, _ = report_builder.report([report_builder.Project(engine, outcome)], engine.settings)
    for form in FORMATS:
        for color in (False, True) if form == "full" else (False,):
            render(form, report, io.StringIO(), color)


def _python_reads(data: bytes) -> bool:
    try:
        ast.parse(data)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


def _described(error: Exception) -> str:
    """The kind of an exception, the innermost line in the package, and its message."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(_PACKAGE)]
    place = f"{os.path.relpath(frames[-1].filename, _PACKAGE)} line {frames[-1].lineno}" if frames else "the checks"
    message = str(error).partition("\n")[0]
    return f"exception {type(error).__name__} in {place}: {message}"
