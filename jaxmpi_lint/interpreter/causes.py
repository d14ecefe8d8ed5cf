"""Which branch parted two ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.events import Collective, Event, Place
from jaxmpi_lint.interpreter.turns import Turn
from jaxmpi_lint.interpreter.variations import is_failure
from jaxmpi_lint.interpreter.verdicts import FILES, Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import ProcessView as Process
    from jaxmpi_lint.interpreter.interfaces import WorldView as World


_WITHOUT_CAUSE = FILES | {Kind.OWN_COUNT, Kind.LOST_UPDATE, Kind.REPLICA, Kind.SAME_DRAWS}
"""Faults in which no branch parts the ranks."""


def attribute(fault: Fault, world: World) -> None:
    """Set the causes of a fault: the last branch that both ranks came to and left on different sides."""
    if fault.other_rank is None or fault.other_rank < 0 or fault.kind in _WITHOUT_CAUSE:
        return
    mine, others = world.processes[fault.rank].rank.turns, world.processes[fault.other_rank].rank.turns
    if is_failure(world.notes.get("departure")):
        handler = _failed(mine, others) or _failed(others, mine)
        if handler is not None:
            fault.cause = handler
            return
    known = {turn.key: turn for turn in others}
    parted = (turn for turn in reversed(mine) if _parts(turn, known))
    cause = next(parted, None)
    if cause is None:
        fault.cause, fault.other_cause = _handled(mine, known), None
        return
    fault.cause, fault.other_cause = cause, known[cause.key]
    if not (cause.asked or fault.other_cause.asked):
        fault.earlier = next((turn for turn in parted if turn.tags), None)


def _parts(turn: Turn, known: dict[tuple[int, int, int], Turn]) -> bool:
    """Whether the other rank came to a branch too and left it on the other side."""
    other = known.get(turn.key)
    return other is not None and other.outcome is not turn.outcome


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
    """The places of the collectives that some rank came to."""
    return set().union(*map(_collectives_of, world.processes))


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


def _failed(turns: list[Turn], others: list[Turn]) -> Turn | None:
    """The handler that only the first rank came to, unless a branch after it parts the ranks."""
    known = {turn.key: turn for turn in others}
    for turn in reversed(turns):
        if _parts(turn, known):
            return None
        if turn.error is not None and turn.key not in known:
            return turn
    return None


def _handled(mine: list[Turn], known: dict[tuple[int, int, int], Turn]) -> Turn | None:
    """An exception that only one of the ranks met."""
    for turn in reversed(mine):
        if turn.error is not None and turn.key not in known:
            return turn
    return None
