"""A fault in words: the ranks that diverge, where, and what the ranks do side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.checks.worlds.assigned_paths import assigned_path
from jaxmpi_lint.checks.worlds.codes import Shape
from jaxmpi_lint.findings.model import Step
from jaxmpi_lint.interpreter.causes import LOOPS
from jaxmpi_lint.interpreter.events import Collective, Event, Place, Receive, Send, Wait
from jaxmpi_lint.interpreter.file_accesses import FileAccess
from jaxmpi_lint.interpreter.turns import Turn
from jaxmpi_lint.interpreter.verdicts import Fault, Kind
from jaxmpi_lint.interpreter.world import World

MAX_EVENTS = 5
"""The last events of each rank are shown."""

At = tuple[ir.Module, ir.Span]

_OF_ARGUMENTS = frozenset({Kind.ROOT, Kind.OPERATOR, Kind.COUNT, Kind.DTYPE, Kind.NAME})

_SHOWN = (Collective, Send, Receive, Wait, FileAccess)


_LEAVING = re.compile(r"\b(return|raise|break|continue|exit|abort|Abort)\b")


def call_in_frame(place: Place, turn: Turn) -> At | None:
    """The call in the frame of a branch that leads to a place; None if the frame has ended before."""
    depth = turn.depth
    if len(place.paths) < depth or place.paths[depth - 1] != turn.frame.path:
        return None
    if len(place.paths) == depth:
        return place.module, place.span
    return place.calls[depth - 1]


def is_inside(at: At | None, turn: Turn) -> bool:
    """Whether a call lies in the statement of a branch, without its test."""
    if at is None or turn.branch is None:
        return False
    start, end = turn.branch.extent
    return at[0] is turn.module and start <= at[1][0] and at[1][1] <= end


def shape_of(fault: Fault, world: World) -> Shape:
    """The shape of the control flow at which the ranks diverge."""
    turn = fault.cause
    if turn is not None and turn.error is not None and turn.error.value.fields.get("*departs"):
        return Shape.HANDLER if _in_handler(fault.place, turn) else Shape.SKIPPED
    other = world.processes[fault.other_rank] if fault.other_rank is not None and fault.other_rank >= 0 else None
    if other is not None and other.error is not None and not _is_exit(other.error.value.name):
        return Shape.RAISE
    if turn is None:
        return Shape.MISMATCH
    if turn.error is not None:
        return Shape.HANDLER if _in_handler(fault.place, turn) else Shape.SKIPPED
    assert turn.branch is not None
    if turn.branch.kind in LOOPS:
        return Shape.LOOP
    if turn.branch.kind in ("and", "or", "conditional"):
        return Shape.SHORT_CIRCUIT
    return _of_branch(fault, turn, world)


def _may_leave(turn: Turn) -> bool:
    """Whether an arm of a branch may leave the function or the loop around it."""
    assert turn.branch is not None
    return _LEAVING.search(turn.module.text, *turn.branch.extent) is not None


def lone_call(fault: Fault, world: World) -> At | None:
    """The first call of a rank on the way to a collective that the other rank has not made on the way to any.

    A branch with which neither of the two has left anything has set what decides about it, as a list of callbacks.
    """
    if fault.other_rank is None or fault.other_rank < 0:
        return None
    mine, theirs = (_meetings(world.processes[number].log, fault.event) for number in (fault.rank, fault.other_rank))
    first = next(
        (one for one, other in zip_longest(mine, theirs) if one and not (other and _is_same(one, other))), None
    )
    made = {(call[0].path, call[1]) for one in theirs for call in one.place.calls if call is not None}
    calls = (call for call in first.place.calls if call is not None) if first is not None else ()
    return next((call for call in calls if (call[0].path, call[1]) not in made), None)


def call_of_one(fault: Fault, event: Event, world: World) -> At | None:
    """The first call on the way to the event of a rank by which the other rank has not run a function."""
    if fault.other_rank is None or fault.other_rank < 0:
        return None
    other = world.processes[fault.other_rank if event is fault.event else fault.rank]
    calls = (call for call in event.place.calls if call is not None)
    return next((call for call in calls if (call[0].path, call[1]) not in other.rank.called), None)


def _meetings(log: Sequence[Event], event: Event) -> list[Event]:
    return [one for one in log if _is_on_same(one, event)]


def _is_same(one: Event, other: Event) -> bool:
    """Whether two events are at the same place, and the same calls lead to it."""
    places = [(place.module.path, place.span) for place in (one.place, other.place)]
    calls = [[(call[0].path, call[1]) for call in event.place.calls if call] for event in (one, other)]
    return places[0] == places[1] and calls[0] == calls[1]


def _is_exit(name: str) -> bool:
    return name == "SystemExit"


def _in_handler(place: Place, turn: Turn) -> bool:
    at = call_in_frame(place, turn)
    if at is None or turn.handler is None:
        return False
    return turn.handler.span[0] <= at[1][0] and at[1][1] <= turn.handler.span[1]


def _of_branch(fault: Fault, turn: Turn, world: World) -> Shape:
    at = call_in_frame(fault.place, turn)
    if not is_inside(at, turn):
        if _is_other_in_frame(fault):
            return Shape.MISMATCH
        return Shape.EXIT if _may_leave(turn) or lone_call(fault, world) is None else Shape.CALL
    if fault.kind is Kind.MISMATCH and _is_other_inside(fault, turn):
        return Shape.MISMATCH
    return Shape.BRANCH if len(fault.place.paths) == turn.depth else Shape.CALL


def _is_other_in_frame(fault: Fault) -> bool:
    """Whether the other rank waits in the function of the branch, which it has not left."""
    if fault.other is None or fault.other_cause is None:
        return False
    return call_in_frame(fault.other.place, fault.other_cause) is not None


def _is_other_inside(fault: Fault, turn: Turn) -> bool:
    """Whether the other rank waits in the same statement."""
    if fault.other is None or fault.other_cause is None:
        return False
    return is_inside(call_in_frame(fault.other.place, fault.other_cause), turn)


def sequenced(fault: Fault) -> Fault:
    """The fault as one of the sequence of calls, where a branch leads only one of two ranks to its call.

    Their arguments differ because two different calls meet.
    """
    turn, other = fault.cause, fault.other
    if fault.kind not in _OF_ARGUMENTS or turn is None or fault.other_cause is None or other is None:
        return fault
    mine = is_inside(call_in_frame(fault.place, turn), turn)
    theirs = is_inside(call_in_frame(other.place, fault.other_cause), fault.other_cause)
    return fault if mine is theirs else replace(fault, kind=Kind.MISMATCH)


def skipped(fault: Fault, world: World) -> Fault:
    """The fault at the collective that an exception skips, which the ranks without it have made.

    It stands in the ``try``, or after it where the handler goes on with the next pass of a loop.

    The rank of the original fault may wait in a later call: the numbers of calls have differed since.
    """
    turn = fault.cause
    tried = turn.frame.prepared.tries.get(turn.key[1]) if turn is not None else None
    if turn is None or tried is None or fault.other_rank is None or fault.kind not in (Kind.PARTED, Kind.MISMATCH):
        return fault
    failed, other = fault.rank, fault.other_rank
    if all(one.key != turn.key for one in world.processes[failed].rank.turns):
        failed, other = other, failed
    start, end = tried.extent
    for event in reversed(world.processes[other].log):
        at = call_in_frame(event.place, turn) if _is_on_same(event, fault.event) else None
        if at is not None and at[0] is turn.module and start <= at[1][0] and at[1][1] <= turn.span[0] <= end:
            return replace(fault, event=event, rank=other, other_rank=failed, other=None)
    log = world.processes[failed].log
    made = sum(_is_on_same(event, fault.event) for event in log[: turn.events])
    later = [event for event in world.processes[other].log if _is_on_same(event, fault.event)][made:]
    if later and call_in_frame(later[0].place, turn) is not None:
        return replace(fault, event=later[0], rank=other, other_rank=failed, other=None)
    return fault


def _is_on_same(event: Event, other: Event) -> bool:
    """Whether two collectives are on one communicator."""
    both = isinstance(event, Collective) and isinstance(other, Collective)
    return both and event.communicator.identity == other.communicator.identity  # type: ignore[attr-defined]


def _nearness(place: Place, turn: Turn) -> int:
    """2 inside of the statement of a branch, 1 in the call of its function, 0 where that has ended."""
    at = call_in_frame(place, turn)
    return 0 if at is None else 1 + is_inside(at, turn)


def oriented(fault: Fault) -> Fault:
    """The fault with the rank first that is nearer to the branch or loop: inside of it, or still in its function.

    Only where the two ranks have equal roles: a receive and a send are not exchanged.
    """
    turn, other = fault.cause, fault.other
    if fault.kind not in (Kind.PARTED, Kind.MISMATCH):
        return fault
    if turn is None or other is None or fault.other_rank is None:
        return fault
    if turn.error is not None:
        mine, theirs = int(_in_handler(fault.place, turn)), int(_in_handler(other.place, turn))
    elif fault.other_cause is None:
        return fault
    else:
        mine, theirs = _nearness(fault.place, turn), _nearness(other.place, fault.other_cause)
    if mine >= theirs:
        return fault
    return replace(
        fault,
        event=other,
        rank=fault.other_rank,
        other=fault.event,
        other_rank=fault.rank,
        cause=fault.other_cause or turn,
        other_cause=turn if fault.other_cause is not None else None,
    )


def at_loop(fault: Fault, world: World) -> Fault:
    """The fault at the call in the loop that parts the ranks, where both have left its function since.

    They wait in calls that come later: the numbers of calls have differed since.
    """
    turn, other = fault.cause, fault.other_cause
    if fault.kind not in (Kind.PARTED, Kind.MISMATCH) or turn is None or turn.branch is None or other is None:
        return fault
    is_left = _nearness(fault.place, turn) == 0 and (fault.other is None or _nearness(fault.other.place, other) == 0)
    if turn.branch.kind not in LOOPS or not is_left or fault.other_rank is None:
        return fault
    longer, shorter = (fault.rank, fault.other_rank) if turn.outcome else (fault.other_rank, fault.rank)
    inner, outer = (turn, other) if turn.outcome else (other, turn)
    for event in world.processes[longer].log[inner.events :]:
        if _is_on_same(event, fault.event) and is_inside(call_in_frame(event.place, inner), inner):
            sides = replace(fault, rank=longer, other_rank=shorter, cause=inner, other_cause=outer)
            return replace(sides, event=event, other=None)
    return fault


def title(event: Event) -> str:
    """The operation and its communicator."""
    communicator = getattr(event, "communicator", None)
    return f"`{event.label}` on {communicator.label}" if communicator is not None else f"`{event.label}`"


def side(fault: Fault, world: World) -> tuple[list[int], list[int]]:
    """The ranks that take the branch as the rank of the fault does, and the others that come to it."""
    turn = fault.cause
    if turn is None:
        return [fault.rank], [number for number in range(world.size) if number != fault.rank]
    same: list[int] = []
    others: list[int] = []
    for process in world.processes:
        outcome = next((one.outcome for one in process.rank.turns if one.key == turn.key), None)
        (same if outcome is turn.outcome else others).append(process.rank.number)
    return same, others


def ranks(numbers: list[int], world: World) -> str:
    """Ranks in words."""
    if len(numbers) == 1:
        return f"rank {numbers[0]}"
    if len(numbers) == world.size - 1 and 0 not in numbers:
        return "ranks other than 0"
    return f"ranks {', '.join(map(str, numbers))}"


def verb(numbers: list[int], singular: str) -> str:
    """A verb in the number of its subject."""
    if len(numbers) != 1:
        return singular
    return f"{singular}es" if singular.endswith(("ch", "s")) else f"{singular}s"


def action(number: int, event: Event | None) -> str:
    """What a rank does at the fault."""
    if event is None:
        return f"rank {number} has ended"
    if isinstance(event, (Receive, Wait)):
        return f"rank {number} waits in {title(event)}"
    if isinstance(event, FileAccess):
        return f"rank {number} {event.effect} it: {title(event)}"
    return f"rank {number} calls {title(event)}"


def cycle(fault: Fault) -> str:
    """The ranks of a deadlock and their calls."""
    parts = [f"rank {number} waits in `{event.label}`{_peer(event)}" for number, event in fault.waits[:4]]
    return ", ".join(parts) or action(fault.rank, fault.event)


def _peer(event: Event) -> str:
    if isinstance(event, Wait):
        pending = next((one.event for one in event.requests if not one.is_done), None)
        return f" for {pending.label}{_peer(pending)}" if isinstance(pending, (Send, Receive)) else ""
    if isinstance(event, Receive):
        return " from any rank" if event.source < 0 else f" from rank {event.source}"
    return f" to rank {event.dest}" if isinstance(event, Send) else ""


def steps(fault: Fault, world: World) -> Iterator[Step]:
    """The branch, the calls that lead to the event, the event, and what the other rank does."""
    turn = fault.cause
    same, others = side(fault, world)
    if fault.earlier is not None:
        decides = "data of each rank decides here" if fault.earlier.tags else "this test decides"
        yield Step(fault.earlier.module, fault.earlier.span, decides)
    if turn is not None:
        message = f"{ranks(same, world)} and {ranks(others, world)} diverge here" if others else "decided here"
        yield Step(turn.module, turn.span, message)
    for module, span, message in fault.origins:
        yield Step(module, span, message)
    assigned = assigned_path(fault.place) if isinstance(fault.event, FileAccess) and not fault.origins else None
    if assigned is not None:
        yield Step(fault.place.module, assigned, "the path is assigned here")
    for call in _trail(fault.place, turn):
        target = "the file" if isinstance(fault.event, FileAccess) else "the communication"
        yield Step(call[0], call[1], f"this call leads to {target}")
    is_file = isinstance(fault.event, FileAccess)
    yield Step(fault.place.module, fault.place.span, action(fault.rank, fault.event) if is_file else title(fault.event))
    if fault.other is not None and fault.other_rank is not None:
        place = fault.other.place
        yield Step(place.module, place.span, action(fault.other_rank, fault.other), aside=True)
    other = fault.other_rank if fault.other_rank is not None and fault.other_rank >= 0 else None
    error = world.processes[other].error if other is not None else None
    if error is not None and error.place is not None:
        yield Step(error.place[0], error.place[1], f"rank {other} raises {error.value.name} here")


def _has_other(fault: Fault) -> bool:
    return fault.other_rank is not None and fault.other_rank >= 0


def _trail(place: Place, turn: Turn | None) -> list[At]:
    depth = turn.depth - 1 if turn is not None and call_in_frame(place, turn) is not None else 0
    return [call for call in place.calls[depth:] if call is not None]


def table(world: World, fault: Fault) -> tuple[tuple[str, ...], ...]:
    """The last events of the ranks side by side: a row of titles, then one row for each event."""
    shown = [fault.rank] + ([fault.other_rank] if _has_other(fault) and fault.other_rank is not None else [])
    columns = [_column(world, number, fault) for number in sorted(set(shown))]
    height = max((len(column) for column in columns), default=0)
    return tuple(tuple(column[row] if row < len(column) else "" for column in columns) for row in range(height))


def _window(events: Sequence[Event], fault: Fault) -> tuple[int, int]:
    """The events that are shown: the last ones, or those around an access to a file."""
    at = next((index for index, one in enumerate(events) if one is fault.event or one is fault.other), None)
    if at is None or not isinstance(fault.event, FileAccess):
        return max(0, len(events) - MAX_EVENTS), len(events)
    last = min(len(events), max(at + 3, MAX_EVENTS))
    return max(0, last - MAX_EVENTS), last


def _column(world: World, number: int, fault: Fault) -> list[str]:
    process = world.processes[number]
    events = [event for event in process.log if isinstance(event, _SHOWN)]
    found = [f"rank {number}"]
    first, last = _window(events, fault)
    if first > 0:
        found.append("...")
    for event in events[first:last]:
        waits = " (waits)" if event is process.pending and not process.is_over else ""
        found.append(f"{event.label}, line {event.place.row}{waits}")
    if last < len(events):
        found.append("...")
    elif process.is_over:
        found.append(f"raises {process.error.value.name}" if process.error is not None else "ends")
    return found
