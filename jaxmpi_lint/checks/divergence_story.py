"""A divergence told line by line: where the rank was read, the branch, and what the other processes do instead."""

from __future__ import annotations

from jaxmpi_lint.analysis.cfg.expected_failures import is_test_file
from jaxmpi_lint.analysis.divergence.divergence import Divergence
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.rules.base import Step


def who(divergence: Divergence) -> str:
    """The processes that reach the event, with the verb: ``only rank 0 reaches``."""
    side = divergence.sides[0 if divergence.truth else 1]
    return f"only {side} {'reaches' if side.startswith('rank ') else 'reach'}"


def steps(divergence: Divergence) -> tuple[Step, ...]:
    """The story, in the order in which it happens."""
    function, branch, event = divergence.function, divergence.branch, divergence.event
    told: list[Step] = []
    if divergence.test.reason is not None:
        told += [Step(link.module, link.span, link.message) for link in divergence.test.reason.chain()]
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
    return Confidence.HIGH if reason is not None and len(reason.chain()) <= 1 else Confidence.MEDIUM


def severity(divergence: Divergence, usual: Severity) -> Severity:
    """One level lower in tests, which may want their processes to part."""
    if not is_test_file(divergence.function.module.path):
        return usual
    return Severity.WARNING if usual is Severity.ERROR else Severity.INFO
