"""``--trace CODE FILE:LINE``: each stage of an analysis for one place, up to a finding or silence."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from jaxmpi_lint.analysis.lattice.trace import Evidence, Recorder, Stage, Subject
from jaxmpi_lint.checks.worlds.codes import MESSAGES
from jaxmpi_lint.checks.worlds.selection import Worlds
from jaxmpi_lint.command import requests
from jaxmpi_lint.command.explain import find
from jaxmpi_lint.command.tracers import tracer_of
from jaxmpi_lint.engine.check import check
from jaxmpi_lint.engine.engine import Engine
from jaxmpi_lint.engine.locations import Locator
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.rules import registry
from jaxmpi_lint.rules.divergence_rule import DivergenceRule
from jaxmpi_lint.rules.precedence import beats
from jaxmpi_lint.settings import rule_selection

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.ir import Module, Span
    from jaxmpi_lint.analysis.lattice.trace import Tracer
    from jaxmpi_lint.engine.reader import Reading
    from jaxmpi_lint.findings.diagnostics import Diagnostic
    from jaxmpi_lint.rules.base import Rule

_INDENT = "    "
_NOT_READ = "the file neither communicates nor calls communicating functions, so {code} does not analyse it"


def trace(given: argparse.Namespace, stream: TextIO) -> int:
    """Print the stages of the place; the exit status is 0, whatever their result."""
    code, place = given.trace
    rule = find(code, registry.load())
    tracer = tracer_of(rule)
    if tracer is None:
        traced = ", ".join(known.code for known in registry.load() if tracer_of(known) is not None)
        raise UserError(f"{rule.code} has no trace; {traced} have one")
    path, row = _place(place)
    given.paths = [str(path), *given.paths]
    request = next(r for r in requests.requests(given) if path in r.given)
    stream.write("\n".join(Tracing(Engine(request), rule, tracer).lines(str(path), row)) + "\n")
    return 0


def _place(text: str) -> tuple[Path, int]:
    """The file and the row of ``FILE:LINE``."""
    name, colon, number = text.rpartition(":")
    if not colon or not name or not number.isascii() or not number.isdigit() or int(number) < 1:
        raise UserError(f"--trace {text}: not of the form FILE:LINE, with a line number from 1")
    path = Path(os.path.realpath(name))
    if not path.is_file():
        raise UserError(f"--trace {text}: no such file; check the path")
    return path, int(number)


@dataclass(slots=True)
class Tracing:
    """The trace of one rule in one project."""

    engine: Engine
    rule: type[Rule]
    tracer: Tracer

    def lines(self, path: str, row: int) -> Iterator[str]:
        """The printed lines for one row of a file."""
        reading = self.engine.read({})
        self._check_file(reading, path, row)
        model = reading.project.module(path)
        if model is None:
            yield f"{self._name(path)}: {_NOT_READ.format(code=self.rule.code)}"
            return
        results = Results(self.engine, self.rule, reading)
        chosen, reason = self.tracer.subjects(model, row)
        if not chosen:
            yield f"{self._name(path)}:{row}: {reason}"
            yield from self._of_worlds(reading, path)
            return
        spans = {(function.ir.qualname, span) for function, span in chosen}
        recorder = Recorder(lambda subject: subject.path == path and (subject.function, subject.span) in spans)
        for function in {function.ir.qualname: function for function, _ in chosen}.values():
            self.tracer.record(function, recorder)
        yield from self._told(results, recorder)
        yield from self._of_worlds(reading, path)

    def _of_worlds(self, reading: Reading, path: str) -> Iterator[str]:
        """How far the interpreter followed the program in a file, if it reports the code."""
        if self.rule.code in MESSAGES:
            yield from reading.project.get(Worlds).trace(path)

    def _check_file(self, reading: Reading, path: str, row: int) -> None:
        """Raise an error for a file that was not read, and for a row that it does not have."""
        name = self._name(path)
        if path not in self.engine.reported:
            raise UserError(f"{name}: not read; the setting `exclude` excludes it")
        for problem in reading.problems:
            if problem.path == path:
                raise UserError(f"{name}: {problem.message}")
        source = self.engine.source(path)
        if source is None:
            raise UserError(f"{name}: cannot be read as Python text; check the file")
        rows = source.text.count("\n") + (not source.text.endswith("\n"))
        if row > rows:
            raise UserError(f"{name}:{row}: the file has only {rows} lines")

    def _told(self, results: Results, recorder: Recorder) -> Iterator[str]:
        """The stages of every subject; specialisations of a function with the same outcome are printed once."""
        seen: set[tuple[Span, str, tuple[tuple[str, str, str], ...]]] = set()
        for subject, stages in recorder.stages.items():
            key = subject.span, subject.detail, tuple((stage.name, stage.outcome, stage.exemption) for stage in stages)
            if key not in seen:
                if seen:
                    yield ""
                seen.add(key)
                yield self._head(subject)
                for stage in stages:
                    yield from self._stage(subject, results.of(stage))

    def _head(self, subject: Subject) -> str:
        text = _shortened(" ".join(subject.module.source(subject.span).split()))
        where = "" if subject.function == "<module>" else f" in `{subject.function}`"
        run = ", for a call with different arguments" if subject.run else ""
        detail = f" and {subject.detail}" if subject.detail else ""
        return f"{self._position(subject.module, subject.span)}: `{text}`{where}{detail}{run}"

    def _stage(self, subject: Subject, stage: Stage) -> Iterator[str]:
        yield f"  {stage.name}: {stage.outcome}"
        for evidence in stage.evidence:
            yield f"{_INDENT}{self._evidence(subject, evidence)}"

    def _evidence(self, subject: Subject, evidence: Evidence) -> str:
        if evidence.place is None:
            return evidence.seen
        module, span = evidence.place.module, evidence.place.span
        if module.path == subject.path:
            return f"line {module.position(span[0])[0]}: {evidence.seen}"
        return f"{self._position(module, span)}: {evidence.seen}"

    def _position(self, module: Module, span: Span) -> str:
        return f"{self._name(module.path)}:{module.position(span[0])[0]}"

    def _name(self, path: str) -> str:
        return Locator({}, self.engine.request.folder, self.engine.request.names).filename(path)


class Results:
    """The effect of other rules, comments and settings on the findings of an engine.

    The rules run when this is created, before any tracing: facts about mutually recursive functions depend on the order
    of evaluation, and the trace must show what the rules used.
    """

    def __init__(self, engine: Engine, rule: type[Rule], reading: Reading) -> None:
        self._engine = engine
        self._rule = rule
        self._reading = reading
        self._rules = {known.code: known for known in registry.load()}
        self._previews = {code: known.preview for code, known in self._rules.items()}
        self._codes = {str(known.selects): known.code for known in registry.load() if issubclass(known, DivergenceRule)}
        self._enabled = rule_selection.enabled(engine.settings, self._previews) | {rule.code}
        self._locator = Locator(reading.sources, engine.request.folder, engine.request.names)
        rules: Sequence[type[Rule]] = [known for known in registry.load() if known.code in self._enabled]
        self._checked = check(reading, rules, engine.settings, engine.reported, self._locator)

    def of(self, stage: Stage) -> Stage:
        """The stage with the effect on the shown findings, if it is one that reports."""
        if not stage.code:
            return stage
        named = replace(stage, code=self._codes.get(stage.code, stage.code))
        return replace(named, outcome=self._outcome(named))

    def _outcome(self, stage: Stage) -> str:
        place = stage.evidence[0].place
        assert place is not None
        found = self._at(self._checked.diagnostics, place.module, place.span)
        whose = "" if stage.code == self._rule.code else f", not as {self._rule.code}: it is the more specific rule"
        for diagnostic in found:
            if diagnostic.code == stage.code:
                return f"reported as {stage.code} ({diagnostic.severity}, confidence {diagnostic.confidence}){whose}"
        silenced = self._at([s.diagnostic for s in self._checked.suppressed], place.module, place.span)
        if any(diagnostic.code == stage.code for diagnostic in silenced):
            return f"found as {stage.code}{whose}, and suppressed by a comment"
        for diagnostic in found:
            if beats(self._rules[diagnostic.code], self._rules[stage.code]):
                return f"reported as {diagnostic.code} in place of {stage.code}: it is the more specific rule"
        if stage.code not in self._enabled:
            return f"found as {stage.code}{whose}, which the settings do not select"
        return f"found as {stage.code}{whose}, but not shown: a finding or a setting replaces it, or worlds refute it"

    def _at(self, diagnostics: Sequence[Diagnostic], module: Module, span: Span) -> list[Diagnostic]:
        _, start = self._reading.sources[module.path].place(span[0])
        name = self._locator.filename(module.path)
        return [found for found in diagnostics if found.filename == name and found.start == start]


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
