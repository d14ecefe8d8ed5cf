"""Which branch parted two ranks."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.connected_choices import hold_different_data
from jaxmpi_lint.interpreter.events import Collective, Event, Place, Receive, Send, Wait
from jaxmpi_lint.interpreter.turns import Turn
from jaxmpi_lint.interpreter.verdicts import FILES, Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import ProcessView as Process
    from jaxmpi_lint.interpreter.interfaces import WorldView as World


_OF_DATA = {
    Kind.OWN_COUNT,
    Kind.UNEXCHANGED,
    Kind.REPLICA,
    Kind.SAME_DRAWS,
    Kind.OWN_PARAMETERS,
    Kind.MEMORY_ORDER,
    Kind.COLOURS,
    Kind.UNIT,
    Kind.BLOCK_ORDER,
    Kind.REPEATED_SUM,
    Kind.JOINED,
    Kind.SOURCES,
    Kind.OWN_STEP,
}
_WITHOUT_CAUSE = (
    FILES
    | _OF_DATA
    | {Kind.LOST_UPDATE, Kind.EXPOSED, Kind.SWAPPED, Kind.OTHER_SENDER, Kind.ECHO}
    | {Kind.BOUND_BUFFER, Kind.UNSET_ROOT, Kind.OWN_SHARE}
)
"""Faults in which no branch parts the ranks."""

LOOPS = ("for", "while", "comprehension")
"""Kinds of branches that are loops."""

_COMMUNICATION = (Collective, Send, Receive, Wait)
_Passes = dict[tuple[int, int], list[Turn]]


def attribute(fault: Fault, world: World) -> None:
    """Set the causes of a fault: the last branch that both ranks came to and left on different sides."""
    if fault.other_rank is None or fault.other_rank < 0 or fault.kind in _WITHOUT_CAUSE:
        return
    one, other = world.processes[fault.rank], world.processes[fault.other_rank]
    known = {turn.key: turn for turn in other.rank.turns}
    passes = _passes(one.rank.turns), _passes(other.rank.turns)
    logs = one.log, other.log
    parted = [turn for turn in reversed(one.rank.turns) if _parts(turn, known) and not _is_silent(turn, passes, logs)]
    counts = _collectives_before(one.log, fault.event), _collectives_before(other.log, fault.event)
    in_step = [turn for turn in parted if counts[0][turn.events] == counts[1][known[turn.key].events]]
    candidates = in_step or parted  # ranks that have been in different numbers of collectives had parted before
    candidates = [turn for turn in candidates if not _meets_again(turn, known[turn.key], (one, other))]
    rejoined = (turn for turn in candidates if not _is_rejoined(turn, known[turn.key], (one, other)))
    cause = next(rejoined, candidates[0] if candidates else None)
    handler = _failed(one, other, cause) or _failed(other, one, cause)
    if cause is None or handler is not None:
        fault.cause, fault.other_cause = handler, None
        decides = handler is not None and (handler.asked or _departs(handler))
        fault.earlier = None if handler is None or decides else cause
        return
    fault.cause, fault.other_cause = cause, known[cause.key]
    if not (cause.asked and fault.other_cause.asked):
        before = candidates[candidates.index(cause) + 1 :]
        own = (turn for turn in before if turn.tags or _test_different_data(turn, known[turn.key]))
        fault.earlier = next(own, None)
        fault.other_earlier = known[fault.earlier.key] if fault.earlier is not None else None


def _test_different_data(one: Turn, other: Turn) -> bool:
    """Whether two ranks test values that are computed from different data, at the same place."""
    if len(one.asked) != len(other.asked):
        return False
    pairs = zip(one.asked, other.asked, strict=True)
    return any(
        not (mine.is_guess or theirs.is_guess) and hold_different_data(mine, theirs) for (mine, _), (theirs, _) in pairs
    )


def _passes(turns: list[Turn]) -> _Passes:
    """The visits of each branch, in order."""
    found: _Passes = {}
    for turn in turns:
        found.setdefault(turn.key[:2], []).append(turn)
    return found


def _collectives_before(log: list[Event], event: Event) -> list[int]:
    """In how many collectives of the communicator of an event a rank has been, after each number of events."""
    identity = event.communicator.identity if isinstance(event, Collective) else None
    made = (isinstance(one, Collective) and one.communicator.identity == identity for one in log)
    return list(accumulate(made, initial=0))


def _parts(turn: Turn, known: dict[tuple[int, int, int], Turn]) -> bool:
    """Whether the other rank came to a branch too and left it on the other side."""
    other = known.get(turn.key)
    return other is not None and other.outcome is not turn.outcome


def _is_silent(turn: Turn, passes: tuple[_Passes, _Passes], logs: tuple[list[Event], list[Event]]) -> bool:
    """Whether the ranks part in a loop that both leave at its end, and the longer one communicates no more in it."""
    if turn.branch is None or turn.branch.kind not in LOOPS:
        return False
    visits, log = (passes[0], logs[0]) if turn.outcome else (passes[1], logs[1])
    later = [one for one in visits[turn.key[:2]] if one.key[2] >= turn.key[2]]
    last = next((one for one in later if not one.outcome), None)
    if last is None:
        return False
    return not any(isinstance(event, _COMMUNICATION) for event in log[later[0].events : last.events])


def _meets_again(turn: Turn, other: Turn, processes: tuple[Process, Process]) -> bool:
    """Whether both ranks come from a branch to the same next one, and make the same calls on the way."""
    made = _on_the_way(turn, other, processes)
    return made is not None and bool(made[0]) and made[0] == made[1]


def _is_rejoined(turn: Turn, other: Turn, processes: tuple[Process, Process]) -> bool:
    """Whether both ranks come from a branch to the same next one and do not communicate on the way."""
    made = _on_the_way(turn, other, processes)
    return made is not None and not any(made)


def _on_the_way(turn: Turn, other: Turn, processes: tuple[Process, Process]) -> list[list[object]] | None:
    """The places where both ranks communicate between a branch and the same next one; None if that is not the same."""
    if turn.branch is None or turn.branch.kind in LOOPS:
        return None
    following = _next_outside(turn, processes[0]), _next_outside(other, processes[1])
    if following[0] is None or following[1] is None or following[0].key[:2] != following[1].key[:2]:
        return None
    return [
        [
            (event.place.module.path, event.place.span)
            for event in process.log[start.events : end.events if end is not None else None]
            if isinstance(event, _COMMUNICATION)
        ]
        for process, start, end in zip(processes, (turn, other), following, strict=True)
    ]


def _next_outside(turn: Turn, process: Process) -> Turn | None:
    """The next branch after the statement of a branch, in the same function or a caller of it."""
    assert turn.branch is not None
    start, end = turn.branch.extent
    turns: list[Turn] = process.rank.turns
    for later in turns[turns.index(turn) + 1 :]:
        is_inside = later.frame.path == turn.frame.path and start <= later.span[0] and later.span[1] <= end
        if later.depth <= turn.depth and not is_inside:
            return later
    return None


def parted_in(world: World) -> set[tuple[str, ir.Span]]:
    """The branches that two ranks left on different sides."""
    first: dict[tuple[int, int, int], bool] = {}
    return {
        (turn.module.path, turn.span)
        for process in world.processes
        for turn in process.rank.turns
        if first.setdefault(turn.key, turn.outcome) is not turn.outcome
    }


def collectives_in(world: World) -> set[tuple[str, ir.Span]]:
    """The places of the collectives that some rank came to, and of the calls that led to them."""
    events = (event for process in world.processes for event in process.log if isinstance(event, Collective))
    calls = {(call[0].path, call[1]) for event in events for call in event.place.calls if call is not None}
    return calls.union(*map(_collectives_of, world.processes))


def rooted_in(world: World) -> dict[tuple[str, ir.Span], set[tuple[str, bool]]]:
    """The places of the collectives with a root that all ranks have made: their kinds, and whether the root was there.

    A rank that comes to a different place may make the call for the others. Groups of one rank tell nothing.
    """
    found: dict[tuple[str, ir.Span], set[tuple[str, bool]]] = {}
    for process in world.processes:
        for event in process.log:
            if not isinstance(event, Collective) or event is process.pending or event.communicator.size == 1:
                continue
            if isinstance(event.root, int):
                is_root = event.communicator.number == event.root
                found.setdefault((event.place.module.path, event.place.span), set()).add((event.kind, is_root))
    return found


def messages_in(world: World) -> set[tuple[str, ir.Span]]:
    """The places of the messages that some rank sent, received or waited for."""
    events = (event for process in world.processes for event in process.log if isinstance(event, Send | Receive | Wait))
    return {(event.place.module.path, event.place.span) for event in events}


def launches_in(world: World) -> dict[tuple[str, ir.Span], Place]:
    """The calls that run a compiled program on the devices of all processes, or lead to one, and where that is."""
    found: dict[tuple[str, ir.Span], Place] = {}
    for event in (event for process in world.processes for event in process.log if _is_of_compiled(event)):
        calls = (call for call in event.place.calls if call is not None)
        for module, span in ((event.place.module, event.place.span), *calls):
            found.setdefault((module.path, span), event.place)
    return found


def _is_of_compiled(event: Event) -> bool:
    """Whether an event launches a compiled function, not a single operation on an array."""
    if not isinstance(event, Collective) or event.kind != "launch":
        return False
    program = event.extra["program"]
    return program is None or (isinstance(program, tuple) and program[0] != "method")


def common_collectives(world: World) -> set[tuple[str, ir.Span]]:
    """The places of the collectives that every rank came to."""
    return set.intersection(*map(_collectives_of, world.processes))


def _collectives_of(process: Process) -> set[tuple[str, ir.Span]]:
    places = (event.place for event in process.log if isinstance(event, Collective))
    return {(place.module.path, place.span) for place in places}


def _failed(process: Process, other: Process, parted: Turn | None) -> Turn | None:
    """The handler that only the first rank came to, after the branch that parts the two and not because of it."""
    known = {turn.key for turn in other.rank.turns}
    for turn in reversed(process.rank.turns):
        if parted is not None and turn.key == parted.key:
            return None
        if turn.error is not None and turn.key not in known and turn.frame.path in other.rank.entered:
            return None if _leads_to(parted, turn) else turn
    return None


def _departs(handler: Turn) -> bool:
    """Whether the exception of a handler is what its rank alone does: no earlier branch leads to it."""
    return handler.error is not None and bool(handler.error.value.fields.get("*departs"))


def _leads_to(parted: Turn | None, turn: Turn) -> bool:
    """Whether a handler lies in the statement of a branch."""
    if parted is None or parted.branch is None or parted.frame.path != turn.frame.path:
        return False
    start, end = parted.branch.extent
    return start <= turn.span[0] and turn.span[1] <= end
