"""Steps and messages for a divergence: the read of the rank, the branch, and what the other processes do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.divergence.divergence import Cause, Divergence
from jaxmpi_lint.analysis.divergence.divergences import Divergences
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.checks.base import confidence_of, reason_steps
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Span, Step
from jaxmpi_lint.library.levels import Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def who(divergence: Divergence) -> str:
    """The processes that reach the event, with the verb: ``only rank 0 reaches``."""
    side = divergence.sides[0 if divergence.truth else 1]
    return f"only {side} {'reaches' if side.startswith('rank ') else 'reach'}"


def steps(divergence: Divergence) -> tuple[Step, ...]:
    """The explanation, in the order of execution."""
    function, branch, event = divergence.function, divergence.branch, divergence.event
    story = reason_steps(divergence.test.reason)
    others = divergence.sides[1 if divergence.truth else 0]
    one = others.startswith("rank ")
    action = "exit" if divergence.kind == "exit" else "skip"
    place = "here" if divergence.kind == "exit" else "the call"
    story.append(Step(function.module, branch.span, f"{others} {action}{'s' if one else ''} {place}"))
    where = f" on {event.communicator.label}" if event.communicator is not None else ""
    places = [(function.module, event.span), *((place.module, place.span) for place in event.trail)]
    story += [Step(module, span, "this call executes the collective") for module, span in places[:-1]]
    story.append(Step(*places[-1], f"collective{where}"))
    if divergence.others_next is not None:
        message = f"{others} {'waits' if one else 'wait'} here instead"
        story.append(Step(function.module, divergence.others_next.span, message, aside=True))
    return tuple(story)


def confidence(divergence: Divergence) -> Confidence:
    """High if the rank itself is tested, medium if a value derived from it is, low for received messages.

    Medium too if a call on the way is unknown, and for an element that the rank selects: all may be equal. Low for a
    check of data that random numbers have made, after which the process ends itself.
    """
    if divergence.test.source is Source.ELEMENT:
        return Confidence.LOW if divergence.is_assumed else Confidence.MEDIUM
    if divergence.cause is Cause.LOCAL_DATA:
        return Confidence.LOW
    reason = divergence.test.reason
    known = confidence_of(reason) if reason is not None and not divergence.is_assumed else Confidence.MEDIUM
    is_check = divergence.cause is Cause.RANDOM and known is Confidence.MEDIUM and _ends_itself(divergence)
    return Confidence.LOW if is_check else known


def _ends_itself(divergence: Divergence) -> bool:
    """Whether the processes that do not reach the event leave the program by ``sys.exit()`` or the like."""
    branch = divergence.branch
    target = branch.when_false if divergence.truth else branch.when_true
    return divergence.kind == "exit" and target in divergence.function.leaving


def mismatch(divergence: Divergence) -> str:
    """The different calls of the two sides."""
    event, other = divergence.event, divergence.others_next
    one, rest = divergence.sides if divergence.truth else divergence.sides[::-1]
    if other is None:
        return f"{who(divergence)} this {event.title}: the others make a different call"
    if other.label != event.label:
        theirs = other.title if other.title != event.title else "it on a different communicator"
        return f"{one} {_calls(one)} {event.title}, but {rest} {_calls(rest)} {theirs}"
    what, mine, yours = "root", event.root, other.root
    if mine.text == yours.text:
        what, mine, yours = "operator", event.reduction, other.reduction
    return f"{one} {_calls(one)} {event.title} with {what} {mine.text}, but {rest} with {what} {yours.text}"


def _calls(side: str) -> str:
    return "calls" if side.startswith("rank ") else "call"


def told(divergence: Divergence) -> DivergenceDefect:
    """A divergence as a defect, of the kind that its message is about."""
    return DivergenceDefect(divergence, "element" if divergence.test.source is Source.ELEMENT else "divergence")


@dataclass(frozen=True, slots=True)
class DivergenceDefect:
    """A divergence as a defect; ``span`` is its place, if that is not the communication."""

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
    def others(self) -> str:
        """The processes that exit before it, with the verb: ``rank 0 exits``."""
        side = self.divergence.sides[1 if self.divergence.truth else 0]
        return f"{side} exits" if side.startswith("rank ") else "the others exit"

    @property
    def mismatch(self) -> str:
        """The different calls of the two sides."""
        return mismatch(self.divergence)

    @property
    def place(self) -> Place:
        """The communication."""
        return Place(self.divergence.function.module, self.span or self.event.span)

    @property
    def confidence(self) -> Confidence:
        """The confidence of the divergence."""
        return confidence(self.divergence)

    def steps(self) -> tuple[Step, ...]:
        """The explanation."""
        return steps(self.divergence)


def decorated_divergences(function: Function) -> Iterator[DivergenceDefect]:
    """The first divergence that a decorator adds to a function, at the decorator."""
    span = function.project.decorators.decorator_span(function) if function.ir.decorators else None
    if span is not None:
        for divergence in function.project.get(Divergences).decorated(function)[:1]:
            yield DivergenceDefect(divergence, "decorator", span)
