"""Findings of the interpreter beside those of the rules: each defect is reported once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.checks.worlds.codes import MESSAGES
from jaxmpi_lint.checks.worlds.defects import WorldDefect
from jaxmpi_lint.checks.worlds.selection import Worlds
from jaxmpi_lint.checks.worlds.tiers import SHOWN
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.findings.model import Finding, Span
from jaxmpi_lint.rules.base import Rule, severity_in

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.model.project import Project

_At = tuple[str, Span]


def of_worlds(project: Project, rules: Sequence[type[Rule]], found: Sequence[Finding]) -> Iterator[Finding]:
    """The defects of small worlds under the active codes, except those that a rule has found."""
    classes = {rule.code: rule for rule in rules if rule.code in MESSAGES}
    if not classes:
        return
    known = {place for finding in found if _is_shown(finding) for place in _places(finding)}
    parts = [finding for finding in found if finding.rule.code in PARTS.values() and _is_shown(finding)]
    for defect in project.get(Worlds).defects:
        finding = _finding(defect, classes)
        if finding is not None and not known & set(_keys(defect)) and not _has_part(defect, parts):
            yield finding


PARTS = {"JM103": "JM124", "JM124": "JM124", "JM801": "JM801"}
"""Codes of the interpreter, with that of the rule which names a part of the same statement.

The part is an operand that is None, or the set in the head of a loop."""


def _has_part(defect: WorldDefect, found: Sequence[Finding]) -> bool:
    """Whether a rule has found a part of the statement of a defect."""
    return any(
        finding.rule.code == PARTS.get(defect.code)
        and finding.module.path == defect.module.path
        and defect.span[0] <= finding.span[0]
        and finding.span[1] <= defect.span[1]
        for finding in found
    )


def failures_of_worlds(project: Project, rules: Sequence[type[Rule]]) -> list[tuple[str, str, str]]:
    """Errors of the interpreter itself: the program, the exception, the trace."""
    if not any(rule.code in MESSAGES for rule in rules):
        return []
    return [(one.entry.path, *one.failure) for one in project.get(Worlds).explored if one.failure is not None]


PARTED = frozenset({"JM101", "JM102", "JM104", "JM105", "JM108", "JM114"})
"""Rules whose findings are refuted where ranks part and nothing is wrong."""

REFUTABLE = PARTED | {"JM103", "JM113", "JM601", "JM605", "JM804"}
"""Rules whose findings are refuted where the ranks never part."""

OF_RESULTS = frozenset({"JM124", "JM201"})
"""Rules about results of collectives with a root, which are refuted where only ranks come that lose nothing."""

_TO_ROOT = frozenset({"gather", "reduce"})


def unrefuted(project: Project, found: Sequence[Finding]) -> list[Finding]:
    """The findings without those at branches where the worlds of every number of ranks are right."""
    return [one for one in found if not _is_refuted(project, one)]


def _is_refuted(project: Project, finding: Finding) -> bool:
    model, places = project.module(finding.module.path), set(_places(finding))
    if finding.rule.code in OF_RESULTS:
        return _loses_nothing(finding.rule.code, project.get(Worlds).sides(places))
    if model is None or finding.rule.code not in REFUTABLE:
        return False
    worlds = project.get(Worlds)
    if worlds.never_part(places):
        return True
    return finding.rule.code in PARTED and worlds.refute(model.ir, finding.span, places)


def _loses_nothing(code: str, sides: set[tuple[str, bool]]) -> bool:
    """Whether each rank that comes to the collectives of a finding has their result, or gets none.

    A value that the root alone uses is not None there; the root has what it broadcasts, and the others get None.
    """
    if code == "JM124":
        return bool(sides) and all(is_root for _, is_root in sides)
    return bool(sides) and all(kind == "bcast" if is_root else kind in _TO_ROOT for kind, is_root in sides)


def merged(found: Sequence[Finding], of_worlds: Sequence[Finding]) -> list[Finding]:
    """All findings; those of rules that are not shown give way to a shown one at the same place."""
    proved = {(finding.module.path, finding.span) for finding in of_worlds if _is_shown(finding)}
    kept = [f for f in found if _is_shown(f) or f.rule.code not in MESSAGES or not proved & set(_places(f))]
    return [*kept, *of_worlds]


def notes_of_worlds(project: Project, rules: Sequence[type[Rule]]) -> list[str]:
    """What was followed and what was not, if the interpreter ran."""
    return list(project.get(Worlds).notes()) if any(rule.code in MESSAGES for rule in rules) else []


def _is_shown(finding: Finding) -> bool:
    return finding.confidence is not Confidence.LOW and finding.severity is not Severity.INFO


def _places(finding: Finding) -> Iterable[_At]:
    yield finding.module.path, finding.span
    for step in finding.steps:
        if not step.aside:
            yield step.module.path, step.span


def _keys(defect: WorldDefect) -> Iterator[_At]:
    """The place of a defect and the branches that cause it: a rule that shows one of them has found it."""
    yield defect.module.path, defect.span
    yield from defect.causes


def _finding(defect: WorldDefect, classes: Mapping[str, type[Rule]]) -> Finding | None:
    rule = classes.get(defect.code)
    if rule is None:
        return None
    usual, confidence = SHOWN[defect.tier]
    severity = severity_in(usual, rule.in_tests, defect.module)
    if severity is None:
        return None
    remedy = f"{defect.remedy}{rule.at_run_time()}"
    return rule().finding(
        defect.module,
        defect.span,
        defect.message,
        steps=defect.steps,
        remedy=remedy,
        confidence=confidence,
        severity=severity,
        table=defect.table,
    )
