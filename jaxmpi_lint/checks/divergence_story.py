"""A divergence told line by line: where the rank was read, the branch, and what the other processes do instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.divergence.divergence import Divergence
from jaxmpi_lint.analysis.divergence.divergences import Divergences
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.checks.base import confidence_of, reason_steps
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Span, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def who(divergence: Divergence) -> str:
    """The processes that reach the event, with the verb: ``only rank 0 reaches``."""
    side = divergence.sides[0 if divergence.truth else 1]
    return f"only {side} {'reaches' if side.startswith('rank ') else 'reach'}"


def steps(divergence: Divergence) -> tuple[Step, ...]:
    """The story, in the order in which it happens."""
    function, branch, event = divergence.function, divergence.branch, divergence.event
    told = reason_steps(divergence.test.reason)
    others = divergence.sides[1 if divergence.truth else 0]
    one = others.startswith("rank ")
    action = "leave" if divergence.kind == "exit" else "skip"
    place = "here" if divergence.kind == "exit" else "the call"
    told.append(Step(function.module, branch.span, f"{others} {action}{'s' if one else ''} {place}"))
    where = f" on {event.communicator.label}" if event.communicator is not None else ""
    places = [(function.module, event.span), *((place.module, place.span) for place in event.trail)]
    told += [Step(module, span, "this call comes to the collective") for module, span in places[:-1]]
    told.append(Step(*places[-1], f"collective{where}"))
    if divergence.others_next is not None:
        message = f"{others} {'waits' if one else 'wait'} here instead"
        told.append(Step(function.module, divergence.others_next.span, message, aside=True))
    return tuple(told)


def confidence(divergence: Divergence) -> Confidence:
    """High where the rank itself is tested, medium where its influence came through other values."""
    reason = divergence.test.reason
    return confidence_of(reason) if reason is not None else Confidence.MEDIUM


def mismatch(divergence: Divergence) -> str:
    """What each side calls, where both do."""
    event, other = divergence.event, divergence.others_next
    one, rest = divergence.sides if divergence.truth else divergence.sides[::-1]
    if other is None:
        return f"{who(divergence)} this {event.title}, the others another call"
    if other.label != event.label:
        return f"{event.title} on {one}, but {other.title} on {rest}"
    what, mine, theirs = "root", event.root, other.root
    if mine.text == theirs.text:
        what, mine, theirs = "operator", event.reduction, other.reduction
    return f"{event.title} with {what} {mine.text} on {one}, but {theirs.text} on {rest}"


@dataclass(frozen=True, slots=True)
class DivergenceDefect:
    """A divergence as a rule tells of it; ``span`` is where, if not at the communication."""

    divergence: Divergence
    kind: str = "divergence"
    span: Span | None = None

    @property
    def event(self) -> Event:
        """The call that only some processes reach."""
        return self.divergence.event

    @property
    def who(self) -> str:
        """The processes that reach it, with the verb."""
        return who(self.divergence)

    @property
    def mismatch(self) -> str:
        """What each side calls."""
        return mismatch(self.divergence)

    @property
    def place(self) -> Place:
        """The communication."""
        return Place(self.divergence.function.module, self.span or self.event.span)

    @property
    def confidence(self) -> Confidence:
        """How sure the divergence is."""
        return confidence(self.divergence)

    def steps(self) -> tuple[Step, ...]:
        """Its story."""
        return steps(self.divergence)


def decorated_divergences(function: Function) -> Iterator[DivergenceDefect]:
    """The first divergence that a decorator makes of a function, at the decorator."""
    span = function.project.decorators.decorator_span(function) if function.ir.decorators else None
    if span is not None:
        for divergence in function.project.get(Divergences).decorated(function)[:1]:
            yield DivergenceDefect(divergence, "decorator", span)
