"""Point-to-point messages: posted sends and receives, and how they match."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import array_changes, echoes, memory_order, own_extremes, swapped_messages, used_elements
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.communicators import UNKNOWN_TAG, Status
from jaxmpi_lint.interpreter.copies import copied
from jaxmpi_lint.interpreter.events import Probe, Receive, Send, Wait
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

PROC_NULL = -2
ANY = -1


@dataclass(slots=True, eq=False)
class Message:
    """A message on its way: ``source`` is the rank in the communicator, ``sender`` that in the world."""

    event: Send
    source: int
    sender: int
    content: Any
    clock: tuple[int, ...] = ()


@dataclass(slots=True)
class Mail:
    """Messages by communicator and receiver in the world, and posted receives by receiver."""

    messages: dict[tuple[int, int], list[Message]] = field(default_factory=dict)
    receives: dict[int, list[Receive]] = field(default_factory=dict)


def has_unknown_tags(world: World) -> bool:
    """Whether messages and receives are left that may match, since a tag of them is not known."""
    sent = {message.event.tag for messages in world.mail.messages.values() for message in messages}
    awaited = {event.tag for receives in world.mail.receives.values() for event in receives}
    tags = (sent | awaited) - {ANY}
    return len(tags) > 1 and max(tags) >= UNKNOWN_TAG


def post(world: World, rank: Rank, event: Send) -> None:
    """Send a message."""
    members = event.communicator.peers or ()
    own_extremes.sent(world, rank, event)
    if event.dest == PROC_NULL:
        _finish_send(world, rank.number, event)
        return
    echoes.sent(world, rank.number, event, members[event.dest])
    content = _carried(event) if isinstance(event.payload, Array) and not event.is_object else copied(event.payload)
    message = Message(event, event.communicator.number or 0, rank.number, content, world.accesses.clock(rank.number))
    world.mail.messages.setdefault((event.communicator.identity, members[event.dest]), []).append(message)
    if event.request is not None and (world.buffering or not event.blocks) and not event.is_synchronous:
        event.request.is_done = True


def _carried(event: Send) -> Array | None:
    """The elements that the message of a buffer carries; None if it is not known which these are."""
    used = event.used
    return None if not isinstance(used, Array) or used.is_some else used_elements.in_memory_order(used).copy()


def post_receive(world: World, rank: Rank, event: Receive) -> None:
    """Post a receive; those of one rank match in this order."""
    if event.source == PROC_NULL:
        finish_receive(world, rank.number, event, None)
        return
    world.mail.receives.setdefault(rank.number, []).append(event)


def complete(world: World) -> Fault | bool:
    """Match posted receives with messages, and end the waits whose requests are done."""
    done = False
    for number, receives in world.mail.receives.items():
        for event in list(receives):
            message = match(world, number, event)
            if message is None:
                continue
            done = True
            receives.remove(event)
            if isinstance(event, Probe):
                finish_probe(world, number, event, message)
                continue
            fault = check(number, event, message)
            if fault is not None:
                return fault
            _note_longer(world, number, event)
            swapped_messages.note(world, event, number, message.event, message.sender, message.content)
            take(world, number, message)
            finish_receive(world, number, event, message)
    for process in world.processes:
        event_ = process.pending
        if isinstance(event_, Wait) and _is_complete(event_):
            world.answer(process, None)
            done = True
    return done


def _note_longer(world: World, number: int, event: Receive) -> None:
    """Report that a receive from any rank may take the message of one for which its buffer is too short."""
    if event.source != ANY or event.is_object or event.count is None:
        return
    waiting: list[Message] = world.mail.messages.get((event.communicator.identity, number), [])
    first = {one.source: one for one in reversed(waiting) if event.tag in (ANY, one.event.tag)}
    for message in first.values():
        count = message.event.count
        if count is not None and count > event.count:
            detail = f"rank {message.sender} sends {count} elements, the buffer has {event.count}"
            world.report(Fault(Kind.OTHER_SENDER, event, number, message.sender, message.event, detail))
            return


def visible(world: World, number: int, event: Receive) -> Message | None:
    """The message that a probe finds: none that a receive posted before takes."""
    found = match(world, number, event)
    posted = world.mail.receives.get(number, ())
    return None if any(match(world, number, one) is found for one in posted) else found


def take(world: World, number: int, message: Message) -> None:
    """Remove a message; its sender goes on."""
    world.mail.messages[message.event.communicator.identity, number].remove(message)
    world.accesses.learn(number, message.clock)
    _finish_send(world, message.sender, message.event)


def finish_probe(world: World, number: int, event: Probe, message: Message) -> None:
    """Answer a probe that a message has ended."""
    if event.takes:
        take(world, number, message)
    fill_status(event.status, message.source, message.event)
    world.answer(world.processes[number], message)


def fill_status(status: Any, source: int, event: Send) -> None:
    """Describe a message."""
    if isinstance(status, Status):
        status.source, status.tag = source, event.tag
        status.count, status.dtype = event.count, event.dtype
        status.unknown = None


def _is_complete(event: Wait) -> bool:
    states = [request.is_done or not request.is_active for request in event.requests]
    return all(states) if event.needs_all else any(states) or not states


def match(world: World, number: int, event: Receive) -> Message | None:
    """The message that a receive or probe takes."""
    waiting: list[Message] = world.mail.messages.get((event.communicator.identity, number), [])
    for message in waiting:
        if event.source in (ANY, message.source) and event.tag in (ANY, message.event.tag):
            return message
    return None


def check(number: int, event: Receive, message: Message) -> Fault | None:
    """A message that does not fit its receive."""
    send = message.event
    if event.may_be_raw and not send.is_object:
        return None
    if event.is_object != send.is_object:
        sent, wanted = ("a pickled object", "a buffer") if send.is_object else ("a buffer", "a pickled object")
        detail = f"{sent} is sent, {wanted} is received"
        return Fault(Kind.MESSAGE_TYPE, event, number, message.sender, send, detail)
    if event.is_object:
        return None
    if event.dtype and send.dtype and event.dtype != send.dtype:
        detail = f"{send.dtype} is sent, {event.dtype} is received"
        return Fault(Kind.MESSAGE_TYPE, event, number, message.sender, send, detail)
    if event.count is not None and send.count is not None and event.count < send.count:
        detail = f"{send.count} elements are sent, the buffer has {event.count}"
        return Fault(Kind.TRUNCATION, event, number, message.sender, send, detail)
    return None


def finish_receive(world: World, number: int, event: Receive, message: Message | None) -> None:
    """Hand the content of a message to its receive; None for a receive from nobody."""
    value = None if message is None else message.content
    rank = world.processes[number].rank
    if message is not None:
        memory_order.check_message(world, event, message.sender, message.event)
    if not event.is_object and message is not None and isinstance(event.buffer, Array):
        _fill(rank, event, message)
        echoes.arrived(world, number, event, message.sender)
    if message is not None:
        fill_status(event.status, message.source, message.event)
    elif isinstance(event.status, Status):
        event.status.source, event.status.tag, event.status.count = PROC_NULL, ANY, 0
    if event.request is not None:
        event.request.is_done, event.request.value = True, value
    else:
        world.answer(world.processes[number], value)


def _fill(rank: Rank, event: Receive, message: Message) -> None:
    """Write the elements of a message to those of the receive buffer that it may fill."""
    content = message.content
    is_known = isinstance(content, Array)
    symbol = content.store.symbol if is_known else None
    symbol = symbol or rank.symbol("message", message.sender, rank.number)
    if not isinstance(event.used, Array) or event.used.is_some:
        array_changes.forget(rank, event.buffer, symbol)
        return
    target = used_elements.in_memory_order(event.used) if event.used.shape is not None else event.buffer
    is_alike = is_known and (content.dtype == target.dtype or not (content.dtype and target.dtype))
    array_changes.fill(rank, target, content.cells if is_alike else None, symbol)


def _finish_send(world: World, number: int, event: Send) -> None:
    if event.request is not None:
        event.request.is_done = True
    elif world.processes[number].pending is event:
        world.answer(world.processes[number], None)


def leftover(world: World) -> Fault | None:
    """A message that nobody has received at the end of the program."""
    if world.opaque:
        return None
    for (_, number), messages in sorted(world.mail.messages.items()):
        for message in messages:
            return Fault(Kind.UNMATCHED_SEND, message.event, message.sender, number)
    return None
