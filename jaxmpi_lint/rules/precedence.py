"""One defect, one finding: which code speaks where several rules see the same mistake."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxmpi_lint.findings.model import Finding

# Reasons for which processes part at a communication, the most specific first.
REASONS = tuple(
    f"JM{number}" for number in (110, 106, 107, 103, 114, 801, 802, 803, 804, 112, 109, 111, 108, 104, 105, 102, 101)
)
# The same where the communication is one of JAX or mpi4jax: these replace the plain reasons.
FOREIGN = ("JM601", "JM604", "JM605", "JM615", "JM505")
_PLAIN = frozenset(f"JM{number}" for number in range(101, 110))
# Single pairs: the first replaces the second.
PAIRS = (
    ("JM614", "JM801"),
    ("JM615", "JM505"),
    ("JM506", "JM101"),
    ("JM509", "JM618"),
    ("JM506", "JM102"),
    ("JM110", "JM109"),
)
# An exception of one rank is a mistake of its own, whatever else is wrong with the collective behind it.
APART = (("JM110", "JM103"), ("JM106", "JM103"), ("JM107", "JM103"))


def beats(code: str, other: str) -> bool:
    """Whether a finding of ``code`` makes one of ``other`` about the same defect superfluous."""
    if (code, other) in APART:
        return False
    if (code, other) in PAIRS:
        return True
    if (other, code) in PAIRS:
        return False
    if code in FOREIGN:
        return other in _PLAIN or (other in FOREIGN and FOREIGN.index(code) < FOREIGN.index(other))
    return code in REASONS and other in REASONS and REASONS.index(code) < REASONS.index(other)


def group(code: str) -> tuple[str, ...]:
    """The code and all that it replaces or that replace it: suppressing any of them silences the finding."""
    known = dict.fromkeys((*REASONS, *FOREIGN, *(code for pair in PAIRS for code in pair)))
    return (code, *(other for other in known if other != code and (beats(code, other) or beats(other, code))))


def resolve(findings: Sequence[Finding]) -> list[Finding]:
    """The findings without those that a more specific one about the same place replaces."""
    groups: dict[tuple[str, tuple[int, int]], list[Finding]] = {}
    for finding in findings:
        for place in _places(finding):
            groups.setdefault(place, []).append(finding)
    replaced: set[int] = set()
    for place, members in groups.items():
        for finding in members:
            if any(_replaces(other, finding, place) for other in members if other is not finding):
                replaced.add(id(finding))
    return [finding for finding in findings if id(finding) not in replaced]


def _replaces(winner: Finding, loser: Finding, place: tuple[str, tuple[int, int]]) -> bool:
    """The one that is replaced is at a place of the other's story; where its own story ends concerns nobody else."""
    return place == _place(loser) and beats(winner.rule.code, loser.rule.code)


def _place(finding: Finding) -> tuple[str, tuple[int, int]]:
    return finding.module.path, finding.span


def _places(finding: Finding) -> Iterable[tuple[str, tuple[int, int]]]:
    return dict.fromkeys(
        (_place(finding), *((step.module.path, step.span) for step in finding.steps if not step.aside))
    )
