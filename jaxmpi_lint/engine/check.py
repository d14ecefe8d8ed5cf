"""From modules to diagnostics: rules, precedence, per-file settings, suppression comments."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.engine.locations import Locator, rows_in_text
from jaxmpi_lint.engine.rule_runner import Failure, RuleRuns
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Diagnostic, Position
from jaxmpi_lint.findings.model import Finding, Repair, Step, Suppressed
from jaxmpi_lint.rules import registry
from jaxmpi_lint.rules.base import Rule, TreeRule
from jaxmpi_lint.rules.jm003_unused_suppression import UnusedSuppression
from jaxmpi_lint.rules.precedence import Precedence
from jaxmpi_lint.settings import rule_selection
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources import gitignore, suppressions
from jaxmpi_lint.sources.lexical_scan import line_starts

if TYPE_CHECKING:
    from jaxmpi_lint.engine.parser_pool import Problem
    from jaxmpi_lint.engine.reader import Reading


_HEADER = re.compile(r"(?:async\s+)?(?:if|elif|while|for|with|match|case|try|except)\b")


@dataclass(frozen=True, slots=True)
class Checked:
    """All findings in the reported files, the suppressed ones, the rules that failed, and notes for ``--verbose``."""

    diagnostics: tuple[Diagnostic, ...]
    suppressed: tuple[Suppressed, ...]
    failures: tuple[Failure, ...]
    notes: tuple[str, ...] = ()


def tree_rules(rules: Iterable[type[Rule]]) -> list[TreeRule]:
    """Instances of the rules that read syntax trees."""
    return [rule() for rule in rules if issubclass(rule, TreeRule)]


def check(
    reading: Reading, rules: Sequence[type[Rule]], settings: Settings, reported: Collection[str], locator: Locator
) -> Checked:
    """Run the rules and apply precedence, settings and suppressions to the findings."""
    ignores = FileIgnores(settings)
    known = {rule.code for rule in registry.load()}
    runs = RuleRuns(reading.project)
    runs.run(rules)
    runs.run_worlds(rules)
    found = [*reading.findings, *runs.findings]
    inside = [f for f in found if f.module.path in reported and not ignores.covers(f.module.path, f.rule.code)]
    precedence = Precedence([*registry.load(), *rules])
    findings = precedence.resolve(_merged(inside))
    comments = {
        path: suppressions.parse(module.text, known) for path, module in reading.modules.items() if path in reported
    }
    shown: list[Diagnostic] = []
    silenced: list[Suppressed] = []
    for finding in findings:
        own = comments.get(finding.module.path)
        if own is None:  # a file that only the interpreter has read
            own = suppressions.parse(finding.module.text, known)
        comment = _comment(finding, own, precedence)
        diagnostic = locator.diagnostic(finding)
        if comment is None:
            shown.append(diagnostic)
        else:
            silenced.append(Suppressed(diagnostic, comment.reason))
    classes = {rule.code: rule for rule in rules}
    shown += _problems(reading, classes, ignores, reported, locator)
    if UnusedSuppression.code in classes:
        ran = frozenset(classes) - {failure.code for failure in runs.failures}
        idle = _idle_comments(reading, comments, ran)
        shown += [locator.diagnostic(f) for f in idle if not ignores.covers(f.module.path, f.rule.code)]
    return Checked(
        tuple(sorted(shown, key=lambda d: d.sort_key)), tuple(silenced), tuple(runs.failures), tuple(runs.notes)
    )


class FileIgnores:
    """``per-file-ignores``: patterns over paths, as in ``.gitignore``, with the codes that are ignored there."""

    def __init__(self, settings: Settings) -> None:
        self._root = str(settings.root)
        self._entries = [(gitignore.Patterns([pattern]), codes) for pattern, codes in settings.per_file_ignores]

    def covers(self, path: str, code: str) -> bool:
        """Whether a rule is ignored in a file."""
        return any(
            any(rule_selection.matches(selector, code) for selector in codes) and self._matches(patterns, path)
            for patterns, codes in self._entries
        )

    def _matches(self, patterns: gitignore.Patterns, path: str) -> bool:
        inside = path.removeprefix(self._root).lstrip("/\\").replace("\\", "/")
        parts = inside.split("/")
        return any(patterns.verdict("/".join(parts[:end]), end < len(parts)) for end in range(1, len(parts) + 1))


def _merged(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each code and place: that of highest confidence and, among those, with the longest story."""
    best: dict[tuple[str, str, tuple[int, int]], Finding] = {}
    for finding in findings:
        key = (finding.module.path, finding.rule.code, finding.span)
        other = best.get(key)
        if other is None or _weight(finding) < _weight(other):
            best[key] = finding
    return list(best.values())


def _weight(finding: Finding) -> tuple[int, int]:
    return Confidence(finding.confidence).order, -len(finding.steps)


def _comment(
    finding: Finding, comments: suppressions.Suppressions, precedence: Precedence
) -> suppressions.Suppression | None:
    rows = rows_in_text(finding.module, finding.span)
    headers = [rows_in_text(step.module, step.span) for step in finding.steps if _is_header(step, finding)]
    for code in precedence.group(finding.rule.code):
        comment = comments.covers(code, rows, headers)
        if comment is not None:
            return comment
    return None


def _is_header(step: Step, finding: Finding) -> bool:
    """Whether a step of the story stands in the header of a branch or loop of the finding's file."""
    if step.aside or step.module.path != finding.module.path:
        return False
    start, _ = step.module.statement_around(step.span)
    return _HEADER.match(step.module.text, start) is not None


def _problems(
    reading: Reading,
    classes: Mapping[str, type[Rule]],
    ignores: FileIgnores,
    reported: Collection[str],
    locator: Locator,
) -> Iterator[Diagnostic]:
    for problem in reading.problems:
        rule = classes.get(problem.code)
        if rule is None or problem.path not in reported or ignores.covers(problem.path, problem.code):
            continue
        cell, start = _place(problem, reading)
        remedies = {"JM001": "correct the file, or exclude it with `exclude`"}
        yield Diagnostic(
            rule.code,
            rule.name,
            rule.severity,
            Confidence.HIGH,
            problem.message,
            locator.filename(problem.path),
            start,
            start,
            cell,
            remedy=remedies.get(problem.code, "repair or split the file, or exclude it with `exclude`"),
        )


def _place(problem: Problem, reading: Reading) -> tuple[int | None, Position]:
    source = reading.sources.get(problem.path)
    if source is None:
        return None, Position(problem.row, problem.column)
    starts = line_starts(source.text)
    row = min(problem.row, len(starts))
    return source.place(min(starts[row - 1] + problem.column - 1, len(source.text)))


def _idle_comments(
    reading: Reading, comments: Mapping[str, suppressions.Suppressions], active: Collection[str]
) -> Iterator[Finding]:
    """Comments that suppress nothing, and malformed suppression comments.

    Comments in functions that were not analysed are not reported.
    """
    rule = UnusedSuppression()
    for path, parsed in comments.items():
        module = reading.modules[path]
        unknown = [function.span for function in module.functions.values() if function.is_too_large]
        for item in parsed.unused(active):
            if any(start <= item.span[0] < end for start, end in unknown):
                continue
            repair = Repair(Applicability.SAFE, "remove the unused suppression", ((item.span, item.replacement),))
            yield rule.finding(module, _directive(module.text, item.span), item.message, repair=repair)
        for problem in parsed.problems:
            start = module.line_starts[problem.row - 1] + problem.column - 1
            yield rule.finding(module, (start, start), problem.message)


def _directive(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """The span without surrounding blanks."""
    part = text[slice(*span)]
    start = span[0] + len(part) - len(part.lstrip())
    return start, max(start, span[0] + len(part.rstrip()))
