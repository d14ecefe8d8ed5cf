"""Faults as defects: code, confidence, place, message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.checks.worlds import story
from jaxmpi_lint.checks.worlds.codes import (
    LAUNCHES,
    MESSAGES,
    MESSAGES_OF_KIND,
    OF_KIND,
    OF_OWN_TEST,
    OF_SHAPE,
    OF_TAG,
    REMEDIES,
    REMEDY_OF_BLOCK_ORDER,
    REMEDY_OF_BOUND_BUFFER,
    REMEDY_OF_EXPOSED,
    REMEDY_OF_FILE_PARTS,
    REMEDY_OF_GROUP_ROOT,
    REMEDY_OF_JOINED,
    REMEDY_OF_LOST_UPDATE,
    REMEDY_OF_NAME,
    REMEDY_OF_NEIGHBOURS,
    REMEDY_OF_NONE,
    REMEDY_OF_OWN_COUNT,
    REMEDY_OF_OWN_SHARE,
    REMEDY_OF_OWN_TEST,
    REMEDY_OF_SHAPE,
    REMEDY_OF_SWAPPED,
    REMEDY_OF_TREES,
    REMEDY_OF_UNEXCHANGED,
    Shape,
)
from jaxmpi_lint.checks.worlds.handed_data import maker
from jaxmpi_lint.checks.worlds.tiers import Tier, is_search, tier
from jaxmpi_lint.findings.model import Step
from jaxmpi_lint.interpreter.certainty import Found
from jaxmpi_lint.interpreter.connected_choices import part_independently
from jaxmpi_lint.interpreter.events import Collective, Place
from jaxmpi_lint.interpreter.exceptions import failure
from jaxmpi_lint.interpreter.own_lengths import OF_JAX
from jaxmpi_lint.interpreter.verdicts import POINT_TO_POINT, STALE, Fault, Kind


@dataclass(frozen=True, slots=True)
class WorldDefect:
    """A fault, ready to be reported under a code; ``choices`` that are not by default lead to its world."""

    code: str
    module: ir.Module
    span: ir.Span
    message: str
    remedy: str
    steps: tuple[Step, ...]
    tier: Tier
    table: tuple[tuple[str, ...], ...]
    causes: tuple[tuple[str, ir.Span], ...]
    size: int
    choices: int


def defect(found: Found) -> WorldDefect | None:
    """The defect of a fault; None if it is below every tier."""
    world = found.world
    fault = story.oriented(found.fault if found.certainty == 3 else story.sequenced(found.fault))
    shape = story.shape_of(fault, world)
    code = _code(fault, shape, found)
    judged = tier(found, fault, shape)
    if shape is Shape.SKIPPED:
        fault = story.skipped(fault, world)
    elif shape is Shape.LOOP:
        fault = story.at_loop(fault, world)
    failed = failed_operation(found)
    if failed is not None:
        fault, shape = failed, Shape.RAISE
        code = _code(fault, shape, found)
    if judged is Tier.NONE or code not in MESSAGES:
        return None
    at = _place(fault, shape, found)
    message = MESSAGES_OF_KIND.get(fault.kind, MESSAGES[code]).format(**_parts(fault, found))
    return WorldDefect(
        code,
        *at,
        OF_OWN_TEST.format(message) if _is_of_own_test(fault) else message,
        _remedy(code, fault, found),
        tuple(story.steps(fault, world)),
        judged,
        story.table(world, fault),
        tuple(_causes(fault)),
        found.size,
        len(world.decisions.given),
    )


def failed_operation(found: Found) -> Fault | None:
    """The operation on None that has ended the only rank from which a message could come."""
    fault, other = found.fault, found.fault.other_rank
    if fault.kind not in (Kind.UNMATCHED_RECEIVE, Kind.UNMATCHED_SEND) or other is None or other < 0:
        return None
    error = found.world.processes[other].error
    if error is None or error.place is None or not error.value.fields.get("*none"):
        return None
    failed = failure(error, Place(*error.place), other, fault.rank)
    if failed is None:
        return None
    failed = replace(failed, cause=fault.cause, other_cause=fault.other_cause)
    return replace(failed, earlier=fault.earlier, other_earlier=fault.other_earlier)


def _causes(fault: Fault) -> Iterator[tuple[str, ir.Span]]:
    """The branches at which the ranks diverge, or the place where a value that differs is made.

    A test of a result that a rank does not have may be found as well: the result is what has to be changed.
    """
    if fault.kind in STALE:
        return
    for turn in (fault.cause, fault.earlier):
        if turn is not None:
            yield turn.module.path, turn.span
    if fault.cause is None and fault.origins:
        module, span, _ = fault.origins[0]
        yield module.path, span
    if fault.kind is Kind.ITEM_ORDER:  # a rule names the calls in the loop over the set
        for called in ((fault.place.module, fault.place.span), *fault.place.calls):
            if called is not None:
                yield called[0].path, called[1]


_REMEDIES: dict[Kind, str] = {
    Kind.OWN_COUNT: REMEDY_OF_OWN_COUNT,
    Kind.UNEXCHANGED: REMEDY_OF_UNEXCHANGED,
    Kind.GROUP_ROOT: REMEDY_OF_GROUP_ROOT,
    Kind.NEIGHBOURS: REMEDY_OF_NEIGHBOURS,
    Kind.FILE_PARTS: REMEDY_OF_FILE_PARTS,
    Kind.LOST_UPDATE: REMEDY_OF_LOST_UPDATE,
    Kind.EXPOSED: REMEDY_OF_EXPOSED,
    Kind.SWAPPED: REMEDY_OF_SWAPPED,
    Kind.BLOCK_ORDER: REMEDY_OF_BLOCK_ORDER,
    Kind.BOUND_BUFFER: REMEDY_OF_BOUND_BUFFER,
    Kind.OWN_SHARE: REMEDY_OF_OWN_SHARE,
    Kind.JOINED: REMEDY_OF_JOINED,
}
"""The remedies of kinds whose code has a different one."""


def _remedy(code: str, fault: Fault, found: Found) -> str:
    other = found.world.processes[fault.other_rank] if fault.other_rank is not None and fault.other_rank >= 0 else None
    fails_on_none = other is not None and other.error is not None and bool(other.error.value.fields.get("*none"))
    if code == "JM103" and fails_on_none:
        return REMEDY_OF_NONE
    if code == "JM103" and other is not None and other.error is not None and other.error.value.name == "NameError":
        return REMEDY_OF_NAME
    if code == "JM121" and isinstance(fault.event, Collective) and fault.event.kind in OF_JAX:
        return REMEDY_OF_SHAPE if fault.kind is Kind.OWN_COUNT else REMEDY_OF_TREES
    if fault.kind in _REMEDIES:
        return _REMEDIES[fault.kind]
    return REMEDY_OF_OWN_TEST if _is_of_own_test(fault) else REMEDIES[code]


def _is_of_own_test(fault: Fault) -> bool:
    """Whether messages do not meet because each rank tests data of its own: the test is what has to be changed."""
    return fault.kind in POINT_TO_POINT and part_independently(fault)


def _code(fault: Fault, shape: Shape, found: Found) -> str:
    if fault.kind in OF_KIND:
        return OF_KIND[fault.kind]
    if shape is Shape.RAISE:
        return OF_SHAPE[shape]
    tags = fault.decision.tags if fault.decision is not None and found.certainty < 3 else frozenset()
    if fault.earlier is not None or (fault.decision is not None and is_search(fault.decision)):
        tags -= {"random"}  # drawn data, not a number that steers
    for tag, code in OF_TAG.items():
        if tag in tags:
            return code
    event, turn = fault.event, fault.cause
    if isinstance(event, Collective) and event.kind == "launch":
        return LAUNCHES.get(shape, "JM604")
    if isinstance(event, Collective) and event.extra.get("processes"):
        return "JM601"
    is_looked_up = turn is not None and turn.error is not None and bool(turn.asked)
    if found.certainty < 3 and (is_looked_up or shape in (Shape.BRANCH, Shape.EXIT, Shape.LOOP, Shape.CALL)):
        return "JM113" if found.certainty == 2 else OF_SHAPE[shape]
    return OF_SHAPE[shape]


def _place(fault: Fault, shape: Shape, found: Found) -> tuple[ir.Module, ir.Span]:
    """The raise statement, the call in the frame of the branch, or the event itself."""
    if shape is Shape.RAISE and fault.kind in (Kind.PARTED, Kind.MISMATCH):
        error = found.world.processes[fault.other_rank].error if fault.other_rank is not None else None
        if error is not None and error.place is not None:
            return error.place
    if fault.kind is Kind.REPLICA:
        return maker(fault.place)
    if fault.kind is Kind.ITEM_ORDER:
        return fault.origins[0][:2]
    if fault.cause is not None and _is_of_own_test(fault):
        return fault.cause.module, fault.cause.span
    lone = _lone_collective(fault, found)
    if lone is not None:
        return lone
    at = story.call_in_frame(fault.place, fault.cause) if fault.cause is not None else None
    if shape is Shape.CALL and fault.cause is not None and not story.is_inside(at, fault.cause):
        at = story.lone_call(fault, found.world) or at
    if fault.kind in OF_KIND or at is None:
        return fault.place.module, fault.place.span
    return at


def _lone_collective(fault: Fault, found: Found) -> tuple[ir.Module, ir.Span] | None:
    """The call in the branch that parts the ranks, if it leads to a collective while others exchange messages.

    Without such a branch, or where it has only set what decides, as the level of a logger, the call that the other rank
    does not make.
    """
    collectives = [event for event in (fault.event, fault.other) if isinstance(event, Collective)]
    if fault.kind not in POINT_TO_POINT or len(collectives) != 1:
        return None
    frames = (path for event in (fault.event, fault.other) if event is not None for path in event.place.paths)
    if fault.cause is None or fault.cause.frame.path not in frames:
        return story.call_of_one(fault, collectives[0], found.world)
    at = story.call_in_frame(collectives[0].place, fault.cause)
    return at if story.is_inside(at, fault.cause) else None


def _parts(fault: Fault, found: Found) -> dict[str, object]:
    world = found.world
    same, others = story.side(fault, world)
    ended = [number for number in others if world.processes[number].is_over]
    raisers = [p.rank.number for p in world.processes if p.error is not None]
    return {
        "who": f"only {story.ranks(same, world)} {story.verb(same, 'reach')}",
        "others": f"{story.ranks(others, world)} {story.verb(others, 'exit')}" if others else "the others exit",
        "ended": story.ranks(ended, world) if ended else "no rank",
        "raisers": f"{story.ranks(raisers, world)} {story.verb(raisers, 'raise')}",
        "waiting": "the others wait",
        "event": story.title(fault.event),
        "mine": story.action(fault.rank, fault.event),
        "theirs": story.action(fault.other_rank if fault.other_rank is not None else -1, fault.other),
        "rank": fault.rank,
        "detail": fault.detail or "only some processes make this call",
        "cycle": story.cycle(fault),
        "unless": "" if found.world.buffering else " unless MPI buffers the message",
    }
