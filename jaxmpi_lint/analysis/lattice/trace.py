"""How an engine reached a finding or stayed silent: stages, the evidence of each, and the exemptions that end them.

An engine is given a ``Trace`` or none; without one it makes no stages. ``jaxmpi-lint --trace`` prints those of any
engine, so nothing here is about one of them.
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
    """The confidence with which a candidate is reported at most; ``none`` is silence."""

    NONE = "none"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def order(self) -> int:
        """0 for silence, more for more confidence."""
        return list(Tier).index(self)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen, where, and with how much confidence the candidate can be reported in spite of it."""

    seen: str
    place: Place | None = None
    tier: Tier = Tier.NONE


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of an engine: its name, what came of it, and what was seen."""

    name: str
    outcome: str
    evidence: tuple[Evidence, ...] = ()
    exemption: str = ""
    """The name of the exemption that ended the candidate here."""
    code: str = ""
    """The rule that reports the candidate, at the place of the first evidence."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What the stages are about: a place in a function, one run of that function, and perhaps a detail of the place."""

    module: ir.Module = field(compare=False)
    path: str
    span: ir.Span
    function: str
    run: str = ""
    detail: str = ""

    @classmethod
    def of(cls, function: Function, span: ir.Span) -> Subject:
        """A place in a run of a function."""
        return cls(function.module, function.module.path, span, function.ir.qualname, function.run)

    def about(self, detail: str) -> Subject:
        """The same place, seen from one of several angles."""
        return replace(self, detail=detail)


class Trace(Protocol):
    """Takes the stages of the subjects that are of interest."""

    def follows(self, subject: Subject) -> bool:
        """Whether the stages of a subject are wanted."""

    def record(self, subject: Subject, stages: Iterable[Stage]) -> None:
        """Take further stages of a subject."""


@dataclass(frozen=True, slots=True)
class Exemption(Generic[Candidate]):
    """A named reason for which a candidate is not reported, or with less confidence.

    ``why`` is one sentence for the reader of a rule's page. ``applies`` gives the evidence, or None. The exemption
    concerns the rules with ``codes``, or all rules of the engine.
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
    """What the exemptions leave of a candidate: the tier, and the exemption that decided it with its evidence."""

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
    """Ask exemptions in their order until one silences the candidate; else the lowest tier counts."""
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
    """Keeps the stages of the subjects that it follows, in the order in which they come."""

    wanted: Callable[[Subject], bool] = lambda subject: True
    stages: dict[Subject, list[Stage]] = field(default_factory=dict)

    def follows(self, subject: Subject) -> bool:
        """Whether the stages of a subject are wanted."""
        return self.wanted(subject)

    def record(self, subject: Subject, stages: Iterable[Stage]) -> None:
        """Take further stages of a subject."""
        if self.wanted(subject):
            self.stages.setdefault(subject, []).extend(stages)


class Tracer(Protocol):
    """An engine whose stages can be asked for, for one row of a file."""

    @property
    def exemptions(self) -> tuple[Exemption[Any], ...]:
        """All exemptions, in the order in which they act."""

    def subjects(self, module: Module, row: int) -> tuple[list[tuple[Function, ir.Span]], str]:
        """What the engine looks at for the sake of a row; if there is nothing, why."""

    def record(self, function: Function, trace: Trace) -> None:
        """Run the engine on a function."""
