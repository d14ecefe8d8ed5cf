"""Traces: the stages of an engine, the evidence of each, and the exemption that ended them.

An engine receives a ``Trace`` or none; without one it creates no stages. ``jaxmpi-lint --trace`` prints those of any
engine, so nothing here is specific to one of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.event_parts import Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module

Candidate = TypeVar("Candidate")


class Tier(StrEnum):
    """The highest confidence with which a candidate is reported; ``none`` is silence."""

    NONE = "none"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def order(self) -> int:
        """0 for silence, larger for more confidence."""
        return list(Tier).index(self)


@dataclass(frozen=True, slots=True)
class Evidence:
    """An observation, its place, and the confidence with which the candidate can be reported in spite of it."""

    seen: str
    place: Place | None = None
    tier: Tier = Tier.NONE


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of an engine: its name, its outcome, and the evidence."""

    name: str
    outcome: str
    evidence: tuple[Evidence, ...] = ()
    exemption: str = ""
    """The name of the exemption that ended the candidate here."""
    code: str = ""
    """The rule that reports the candidate, at the place of the first evidence."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of stages: a position in a function, one specialisation of that function, and optionally a detail."""

    module: ir.Module = field(compare=False)
    path: str
    span: ir.Span
    function: str
    run: str = ""
    detail: str = ""

    @classmethod
    def of(cls, function: Function, span: ir.Span) -> Subject:
        """A position in a specialisation of a function."""
        return cls(function.module, function.module.path, span, function.ir.qualname, function.run)

    def about(self, detail: str) -> Subject:
        """The same position, with a different detail."""
        return replace(self, detail=detail)


class Trace(Protocol):
    """Receives the stages of the subjects of interest."""

    def follows(self, subject: Subject) -> bool:
        """Whether the stages of a subject are wanted."""

    def record(self, subject: Subject, stages: Iterable[Stage]) -> None:
        """Record further stages of a subject."""


@dataclass(frozen=True, slots=True)
class Exemption(Generic[Candidate]):
    """A named reason why a candidate is not reported, or with less confidence.

    ``why`` is one sentence for the reader of a rule's page. ``applies`` returns the evidence, or None. The exemption
    applies to the rules with ``codes``, or to all rules of the engine.
    """

    name: str
    why: str
    applies: Callable[[Candidate], Evidence | None]
    codes: tuple[str, ...] = ()

    def stage(self, evidence: Evidence) -> Stage:
        """The stage of a candidate that this exemption ends."""
        return Stage("exemption", self.name, (Evidence(self.why), evidence), self.name)


@dataclass(frozen=True, slots=True)
class Ruling(Generic[Candidate]):
    """The result of the exemptions for a candidate: the tier, and the deciding exemption with its evidence."""

    tier: Tier = Tier.HIGH
    exemption: Exemption[Candidate] | None = None
    evidence: Evidence | None = None

    @property
    def is_silent(self) -> bool:
        """Whether nothing is reported."""
        return self.tier is Tier.NONE

    def stages(self) -> tuple[Stage, ...]:
        """The deciding exemption as a stage."""
        if self.exemption is None or self.evidence is None:
            return ()
        return (self.exemption.stage(self.evidence),)


def ruling(exemptions: Iterable[Exemption[Candidate]], candidate: Candidate) -> Ruling[Candidate]:
    """Test exemptions in order until one silences the candidate; otherwise the lowest tier counts."""
    lowest: Ruling[Candidate] = Ruling()
    for exemption in exemptions:
        evidence = exemption.applies(candidate)
        if evidence is not None and evidence.tier.order < lowest.tier.order:
            lowest = Ruling(evidence.tier, exemption, evidence)
            if lowest.is_silent:
                break
    return lowest


@dataclass(slots=True)
class Recorder:
    """Keeps the stages of the subjects that it follows, in order."""

    wanted: Callable[[Subject], bool] = lambda subject: True
    stages: dict[Subject, list[Stage]] = field(default_factory=dict)

    def follows(self, subject: Subject) -> bool:
        """Whether the stages of a subject are wanted."""
        return self.wanted(subject)

    def record(self, subject: Subject, stages: Iterable[Stage]) -> None:
        """Record further stages of a subject."""
        if self.wanted(subject):
            self.stages.setdefault(subject, []).extend(stages)


class Tracer(Protocol):
    """An engine whose stages can be queried, for one row of a file."""

    @property
    def exemptions(self) -> tuple[Exemption[Any], ...]:
        """All exemptions, in the order in which they apply."""

    def subjects(self, module: Module, row: int) -> tuple[list[tuple[Function, ir.Span]], str]:
        """The subjects of the engine for a row; if there are none, the reason."""

    def record(self, function: Function, trace: Trace) -> None:
        """Run the engine on a function."""
