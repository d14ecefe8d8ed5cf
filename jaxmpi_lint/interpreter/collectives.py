"""Collective operations: which ranks are there, whether the arguments agree, and the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import (
    agreement,
    crossed_calls,
    intercommunicators,
    item_orders,
    memory_order,
    own_parameters,
    repeated_sums,
    results,
    same_draws,
    summed_again,
    unset_roots,
)
from jaxmpi_lint.interpreter.events import Collective, Event, Receive, Send, Wait
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Cut
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import ProcessView as Process
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

Waits = tuple[tuple[int, Any], ...]
"""Each waiting rank with the event that it waits in."""


def post(world: World, rank: Rank, event: Collective) -> None:
    """Enter a collective: the n-th one of a rank on a communicator meets the n-th one of the others."""
    key = (event.communicator.identity, rank.number)
    index = world.sequence.get(key, 0)
    world.sequence[key] = index + 1
    world.slots.setdefault((event.communicator.identity, index), {})[rank.number] = event
    event.extra["slot"] = (event.communicator.identity, index)


def complete(world: World) -> Fault | bool:
    """Complete the collectives in which all members are; a fault if their calls do not agree."""
    done = False
    for key, present in list(world.slots.items()):
        fault = _mismatch(world, present)
        if fault is not None:
            return fault
        event = next(iter(present.values()))
        members = event.communicator.participants or ()
        if len(present) < len(members):
            continue
        _decide_root(world, present)
        has_groups = bool(event.communicator.remote)
        fault = intercommunicators.check(present) if has_groups else agreement.check(world, present)
        if fault is not None:
            return fault
        if not has_groups:
            fault = crossed_calls.check(world, present) or item_orders.check(world, present)
            if fault is not None:
                return fault
        del world.slots[key]
        world.accesses.meet(present)
        done = True
        if has_groups:
            _answer_all(world, present, intercommunicators.returned(world, present))
            continue
        memory_order.check(world, present)
        same_draws.note(world, present)
        own_parameters.note(world, present)
        repeated_sums.check(world, present)
        unset_roots.note(world, present)
        if world.stale is not None:
            world.stale.collective(world, present)
        values = results.of(world, present)
        repeated_sums.note(world, present, values)
        summed_again.note(world, present, values)
        if world.stale is not None:
            world.stale.returned(world, present, values)
        _answer_all(world, present, values)
        if world.stale is not None:
            world.stale.received(world, present)
    return done


def _decide_root(world: World, present: dict[int, Collective]) -> None:
    """Replace a root that all ranks compute alike by a rank: the one that tests have decided it to be, or will find."""
    root = next(iter(present.values())).root
    if not isinstance(root, Symbol) or any(event.root is not root for event in present.values()):
        return
    number = world.decisions.number_of(root)
    if number is None:
        number = next((one for one in range(len(present)) if _is_chosen(world, present, root, one)), None)
    for event in present.values() if number is not None else ():
        event.root = number


def _is_chosen(world: World, present: dict[int, Collective], root: Symbol, number: int) -> bool:
    """Whether all ranks take a root for this rank: a choice, as where they compare it with their own."""
    test = world.symbols.make("operation", "==", root, number, kind="bool")
    return [world.decisions.outcome(test, world.processes[one].rank) for one in present] == [True] * len(present)


def _answer_all(world: World, present: dict[int, Collective], values: dict[int, Any]) -> None:
    for number, value in values.items():
        _answer(world, number, present[number], value)


def _answer(world: World, number: int, event: Collective, value: Any) -> None:
    request = event.extra.get("request")
    if request is not None:
        request.is_done, request.value = True, value
        return
    world.answer(world.processes[number], value)


def _mismatch(world: World, present: dict[int, Collective]) -> Fault | None:
    """Two ranks in different operations of one communicator."""
    first = min(present)
    for number, event in sorted(present.items()):
        if event.kind != present[first].kind:
            _check_known(world, event)
            return Fault(Kind.MISMATCH, present[first], first, number, event)
    return None


def _check_known(world: World, event: Collective) -> None:
    if event.communicator.identity in world.opaque:
        raise Cut("an unknown call may communicate on the same communicator")


def parted(world: World, waiting: Sequence[Process]) -> Fault | None:
    """The fault where no rank can go on and some wait."""
    for process in waiting:
        for event in _collectives_of(process):
            fault = _absent(world, process, event)
            if fault is not None:
                return fault
    return _blocked(world, waiting)


def _collectives_of(process: Process) -> list[Collective]:
    """The collectives that a rank waits for, at once or by their requests."""
    event = process.pending
    if isinstance(event, Wait):
        return [one.event for one in _unfinished(event) if isinstance(one.event, Collective)]
    return [event] if isinstance(event, Collective) else []


def _unfinished(event: Wait) -> list[Any]:
    return [one for one in event.requests if not one.is_done and one.is_active]


def _absent(world: World, process: Process, event: Collective) -> Fault | None:
    """A collective that a member does not reach: it has ended, or waits for something else."""
    present = world.slots[event.extra["slot"]]
    for number in event.communicator.participants or ():
        if number in present:
            continue
        _check_known(world, event)
        other = world.processes[number]
        if event.kind == "initialize":
            return Fault(Kind.INITIALIZE, event, process.rank.number, number, other.pending)
        if other.is_over:
            return Fault(Kind.PARTED, event, process.rank.number, number, None)
        if isinstance(other.pending, Collective):
            crossed = number in _waits_for(world, other) or process.rank.number in _waits_for(world, other)
            kind = Kind.CROSSED if crossed else Kind.PARTED
            return Fault(kind, event, process.rank.number, number, other.pending)
    return None


def _waits_for(world: World, process: Process) -> set[int]:
    """The ranks that a waiting rank waits for."""
    event = process.pending
    if isinstance(event, Wait):
        found: set[int] = set()
        for one in _unfinished(event):
            found |= _partners(world, process, one.event)
        return found
    return _partners(world, process, event)


def _partners(world: World, process: Process, event: Any) -> set[int]:
    """The ranks that an operation needs."""
    if isinstance(event, Collective):
        return set(event.communicator.participants or ()) - world.slots[event.extra["slot"]].keys()
    if isinstance(event, Send):
        return {_world_rank(event, event.dest)}
    if isinstance(event, Receive):
        if event.source >= 0:
            return {_world_rank(event, event.source)}
        return set(event.communicator.peers or ()) - {process.rank.number}
    return set()


def _world_rank(event: Send | Receive, number: int) -> int:
    members = event.communicator.peers or ()
    return members[number] if 0 <= number < len(members) else -1


def _blocked(world: World, waiting: Sequence[Process]) -> Fault | None:
    """Ranks that wait for messages: for one that has ended, or in a cycle."""
    if world.opaque:
        raise Cut("an unknown call may communicate")
    waits = tuple((one.rank.number, one.pending) for one in waiting if one.pending is not None)
    for process in waiting:
        if isinstance(process.pending, (Send, Receive, Wait)):
            fault = _unmatched(world, process, waits)
            if fault is not None:
                return fault
    for process in waiting:
        fault = _mismatched_message(world, process, _message_event(process.pending), waits, any_source=False)
        if fault is not None:
            return fault
    return _cycle(world, waiting, waits)


def _unmatched(world: World, process: Process, waits: Waits) -> Fault | None:
    """A rank that waits for itself, or only for ranks that have ended."""
    event, number = _message_event(process.pending), process.rank.number
    targets = _waits_for(world, process)
    if number in targets:
        return Fault(Kind.SELF, event, number, waits=waits)
    if any(target >= 0 and not world.processes[target].is_over for target in targets):
        return None
    fault = _mismatched_message(world, process, event, waits)
    if fault is not None:
        return fault
    kind = Kind.UNMATCHED_RECEIVE if isinstance(event, Receive) else Kind.UNMATCHED_SEND
    return Fault(kind, event, number, min(targets, default=None), None, waits=waits)


def _cycle(world: World, waiting: Sequence[Process], waits: Waits) -> Fault:
    """Ranks that wait for each other; one whose partner is in a collective already stands for all."""
    messages = [one for one in waiting if isinstance(one.pending, (Send, Receive, Wait))]
    pairs = [(one, min(_waits_for(world, one), default=-1)) for one in messages]
    left = [(one, partner) for one, partner in pairs if isinstance(_pending(world, partner), Collective)]
    inside = [(one, partner) for one, partner in pairs if _returns(world, one)]
    first, partner = (left or inside or pairs)[0]
    other_rank, other = partner if partner >= 0 else None, _pending(world, partner)
    return Fault(Kind.DEADLOCK, _message_event(first.pending), first.rank.number, other_rank, other, waits=waits)


def _returns(world: World, process: Process) -> bool:
    """Whether a rank waits for itself through others: those that only wait for such ranks are its victims."""
    seen: set[int] = set()
    todo = [process.rank.number]
    while todo:
        for number in _waits_for(world, world.processes[todo.pop()]) - {-1}:
            if number == process.rank.number:
                return True
            if number not in seen:
                seen.add(number)
                todo.append(number)
    return False


def _pending(world: World, number: int) -> Event | None:
    return world.processes[number].pending if number >= 0 else None


def _mismatched_message(
    world: World, process: Process, event: Any, waits: Waits, any_source: bool = True
) -> Fault | None:
    """A message to a waiting receiver with a different tag or, if ``any_source``, from a different source.

    Where sends wait for their receivers the message may be one that the receiver takes later.
    """
    if not isinstance(event, Receive) or not world.buffering:
        return None
    number = process.rank.number
    for message in world.mail.messages.get((event.communicator.identity, number), ()):
        is_source = event.source in (-1, message.source)
        if not is_source and not (any_source and event.tag == message.event.tag):
            continue
        tags = f"tag {event.tag} is awaited, tag {message.event.tag} was sent"
        sources = f"a message from rank {event.source} is awaited, rank {message.source} has sent one"
        detail = tags if is_source else sources
        return Fault(Kind.TAG, event, number, message.sender, message.event, detail, waits=waits)
    return None


def _message_event(event: Any) -> Any:
    """The receive or send behind a wait."""
    if isinstance(event, Wait):
        return next((one.event for one in _unfinished(event)), event)
    return event
