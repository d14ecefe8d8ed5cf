"""One finding per defect: which rule reports a defect that several rules find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxmpi_lint.findings.model import Finding
    from jaxmpi_lint.rules.base import Rule

_At = tuple[str, tuple[int, int]]


def beats(rule: type[Rule], other: type[Rule]) -> bool:
    """Whether a finding of ``rule`` replaces one of ``other`` about the same defect."""
    if other.code in rule.independent_of:
        return False
    return other.code.startswith(rule.replaces) or rule.specificity > other.specificity > 0


class Precedence:
    """The precedence declared by the attributes of rules."""

    def __init__(self, rules: Iterable[type[Rule]]) -> None:
        self._rules = {rule.code: rule for rule in rules}

    def group(self, code: str) -> tuple[str, ...]:
        """The code, and those that replace it or that it replaces: each of them suppresses the finding."""
        related = [other for other in self._rules if self._beats(code, other) or self._beats(other, code)]
        return (code, *sorted(related, key=self._position))

    def resolve(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings, except those that a more specific one about the same place replaces."""
        groups: dict[_At, list[Finding]] = {}
        for finding in findings:
            for place in _places(finding):
                groups.setdefault(place, []).append(finding)
        replaced: set[int] = set()
        for place, members in groups.items():
            for finding in members:
                if any(self._replaces(other, finding, place) for other in members if other is not finding):
                    replaced.add(id(finding))
        return [finding for finding in findings if id(finding) not in replaced]

    def _replaces(self, winner: Finding, loser: Finding, place: _At) -> bool:
        """A finding is replaced if its place is among the places of the winner; its own steps do not matter."""
        return place == _place(loser) and self._beats(winner.rule.code, loser.rule.code)

    def _beats(self, code: str, other: str) -> bool:
        rules = self._rules
        return code in rules and other in rules and beats(rules[code], rules[other])

    def _position(self, code: str) -> tuple[int, int, str]:
        """Sort key: the most specific rule first, then the rule that replaces most codes."""
        return -self._rules[code].specificity, -sum(self._beats(code, other) for other in self._rules), code


def _place(finding: Finding) -> _At:
    return finding.module.path, finding.span


def _places(finding: Finding) -> Iterable[_At]:
    return dict.fromkeys(
        (_place(finding), *((step.module.path, step.span) for step in finding.steps if not step.aside))
    )
