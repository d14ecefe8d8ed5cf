"""Whether sends that wait for their receivers could keep a world from its end, judged from what its ranks have done.

A rank that takes no message from any sender and tests no request does the same whether or not sends are buffered: its
events are repeated in their order, without their values. A second world is run only where the answer is not known, or
yes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.communicators import UNKNOWN_TAG
from jaxmpi_lint.interpreter.events import Collective, Event, Probe, Receive, Send, Wait
from jaxmpi_lint.interpreter.file_accesses import FileAccess
from jaxmpi_lint.interpreter.messages import ANY, PROC_NULL

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World


def may_block(world: World) -> bool:
    """Whether a world that has ended could block if no message were buffered; true if its events do not tell."""
    logs: list[Sequence[Event]] = [process.log for process in world.processes]
    if world.opaque or not all(_is_determined(event) for log in logs for event in log):
        return True
    return not _Repetition(logs).ends()


def _is_determined(event: Event) -> bool:
    """Whether an event has the same outcome whenever the other ranks come to theirs."""
    if isinstance(event, Receive):
        return not isinstance(event, Probe) and event.source != ANY and event.tag < UNKNOWN_TAG
    if isinstance(event, Wait):
        return event.needs_all
    if isinstance(event, Collective):
        return "slot" in event.extra
    return isinstance(event, FileAccess) or (isinstance(event, Send) and event.tag < UNKNOWN_TAG)


class _Repetition:
    """The events of all ranks once more: what has been posted, and which requests are not done."""

    def __init__(self, logs: list[Sequence[Event]]) -> None:
        self.logs = logs
        self.next = [0] * len(logs)
        self.held: list[Event | None] = [None] * len(logs)
        self.messages: dict[tuple[int, int], list[Send]] = {}
        self.receives: list[list[Receive]] = [[] for _ in logs]
        self.unfinished: set[int] = set()
        self.absent: dict[object, set[int]] = {}
        for event in (event for log in logs for event in log if isinstance(event, Collective)):
            self.absent.setdefault(event.extra["slot"], set()).add(_key(event))
        self.collectives = {slot: set(keys) for slot, keys in self.absent.items()}

    def ends(self) -> bool:
        """Whether all ranks come to their ends."""
        moved = True
        while moved:
            moved = False
            for number in range(len(self.logs)):
                moved = self._advance(number) or moved
                moved = self._receive(number) or moved
        ranks = zip(self.next, self.logs, self.held, strict=True)
        return all(position == len(log) and held is None for position, log, held in ranks)

    def _advance(self, number: int) -> bool:
        """Let a rank continue to the event that holds it; whether it has moved."""
        before = self.next[number]
        while True:
            event = self.held[number]
            if event is not None and not self._is_over(event):
                return self.next[number] > before
            self.held[number] = None
            if self.next[number] == len(self.logs[number]):
                return event is not None or self.next[number] > before
            event = self.logs[number][self.next[number]]
            self.next[number] += 1
            self._begin(number, event)
            self.held[number] = event

    def _begin(self, number: int, event: Event) -> None:
        key = _key(event)
        if isinstance(event, Send):
            if event.dest != PROC_NULL:
                self.messages.setdefault((event.communicator.identity, number), []).append(event)
                if event.blocks or event.is_synchronous:
                    self.unfinished.add(key)
        elif isinstance(event, Receive):
            if event.source != PROC_NULL:
                self.receives[number].append(event)
                self.unfinished.add(key)
        elif isinstance(event, Collective):
            slot = event.extra["slot"]
            self.unfinished.add(key)
            self.absent[slot].discard(key)
            if not self.absent[slot]:
                self.unfinished -= self.collectives[slot]

    def _is_over(self, event: Event) -> bool:
        """Whether an event holds its rank no longer."""
        if isinstance(event, Wait):
            return not any(id(request) in self.unfinished for request in event.requests)
        return _request(event) is not None or id(event) not in self.unfinished

    def _receive(self, number: int) -> bool:
        """Give the posted receives of a rank their messages, in their order; whether one got its own."""
        taken = False
        for event in list(self.receives[number]):
            message = self._message(number, event)
            if message is not None:
                taken = True
                self.receives[number].remove(event)
                self.unfinished -= {_key(event), _key(message)}
        return taken

    def _message(self, number: int, event: Receive) -> Send | None:
        """Take the message of a receive."""
        peers = event.communicator.peers or ()
        sent = self.messages.get((event.communicator.identity, peers[event.source]), [])
        for message in sent:
            receiver = (message.communicator.peers or ())[message.dest]
            if receiver == number and event.tag in (ANY, message.tag):
                sent.remove(message)
                return message
        return None


def _request(event: Event) -> object:
    return event.extra.get("request") if isinstance(event, Collective) else getattr(event, "request", None)


def _key(event: Event) -> int:
    request = _request(event)
    return id(event if request is None else request)
