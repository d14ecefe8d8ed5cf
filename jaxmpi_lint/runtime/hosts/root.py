"""The connections of the root to the leaves: questions, answers, events, and which hosts are lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.hosts.events import Event, Events
from jaxmpi_lint.runtime.hosts.meeting import Peer
from jaxmpi_lint.runtime.hosts.sockets import Server
from jaxmpi_lint.runtime.hosts.wire import LOST, PING, packed, unpacked

_STEP = 0.05
_ANSWER = 3.0  # seconds for an answer, after which a host is left out until it responds again


@dataclass(slots=True)
class Connection:
    """A leaf, as far as it is known."""

    peer: Peer
    name: str = ""
    address: bytes = b""
    heard: float = 0.0
    alive: int = 1  # ranks
    late: bool = False  # it did not answer in time, and is not waited for
    lost: bool = False  # that has been reported

    @property
    def ready(self) -> bool:
        """Whether it can be asked."""
        return bool(self.address) and not self.late


@dataclass(frozen=True, slots=True)
class Answer:
    """What a leaf answered, and when it was asked and answered."""

    value: Any
    asked: float
    answered: float
    size: int  # bytes on the wire
    error: str = ""  # why there is none


class Root:
    """Asks the leaves."""

    def __init__(
        self,
        server: Server,
        peers: Sequence[Peer],
        events: Events,
        say: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        import zmq

        self._server, self._events, self._say, self._clock = server, events, say, clock
        self.connections = {peer.offer.key: Connection(peer) for peer in peers if peer.offer is not None}
        server.admit(self.connections.keys())
        self._poller = zmq.Poller()
        self._poller.register(server.socket, zmq.POLLIN)
        self._poller.register(events.descriptor, zmq.POLLIN)
        self._numbers = count(1)
        self._answers: dict[tuple[str, int], Mapping[str, Any]] = {}
        self._standing: dict[str, dict[tuple[Any, ...], bytes]] = {key: {} for key in self.connections}
        self._greeting: dict[str, Any] = {"wait": 1}  # what a leaf is answered that comes now
        self._event = Event.NONE
        self._pinged = 0.0
        self.longest = float("inf")  # seconds for answers: of a leaf that leads others, what it has itself

    @property
    def descriptors(self) -> tuple[Any, ...]:
        """What becomes readable if there is something to take."""
        return self._server.socket, self._events.descriptor

    def taken(self) -> Event:
        """The most important event on any host since the last call."""
        self._poll(0)
        happened, self._event = self._event, Event.NONE
        return happened

    def meet(self, seconds: float) -> str:
        """Welcome all leaves; if one does not come in time, leave all to themselves and return the reason."""
        until = self._clock() + seconds
        everyone = self.connections.values()
        while not all(one.address for one in everyone) and self._clock() < until:
            self._poll(_STEP)
        missing = ", ".join(wording.ranks(one.peer.ranks) for one in everyone if not one.address)
        reason = f"the host of {missing} did not connect" if missing else ""
        self._greeting = {"alone": reason} if reason else {"welcome": 1}
        self._tell_all(self._greeting)
        return reason

    def ask(
        self, what: str, *arguments: Any, whom: Iterable[str] | None = None, seconds: float = _ANSWER
    ) -> dict[str, Answer]:
        """The answers of the leaves that are ready, by their keys; who does not answer in time is late."""
        asked = self.connections if whom is None else whom
        return self.ask_each(what, {key: arguments for key in asked if self.connections[key].ready}, seconds)

    def ask_each(
        self, what: str, arguments: Mapping[str, Sequence[Any]], seconds: float = _ANSWER
    ) -> dict[str, Answer]:
        """The same, with different arguments for each leaf.

        An answer that is taken too late does not count: if this process was stopped meanwhile, it tells of the past.
        """
        number, asked = next(self._numbers), self._clock()
        seconds = min(seconds, self.longest)
        self._answers.clear()  # what nobody waits for any more
        question = {"ask": number, "what": what, "seconds": seconds}
        messages = {key: packed({**question, "arguments": given}) for key, given in arguments.items()}
        reached: dict[str, bytes] = {}
        found: dict[str, Answer] = {}
        while len(found) < len(messages) and (left := asked + seconds - self._clock()) > 0:
            for key, message in messages.items():  # a leaf may have connected again meanwhile
                if reached.get(key) != self.connections[key].address:
                    reached[key] = self.connections[key].address
                    self._server.send(reached[key], message)
            self._poll(left)
            for key in messages:
                reply, now = self._answers.pop((key, number), None), self._clock()
                if reply is not None and now - asked < seconds + _STEP:
                    found[key] = _answer(reply, asked, now)
        for key in messages:
            if key not in found:
                self.connections[key].late = True
        return found

    def tell(self, what: str, *arguments: Any, whom: Iterable[str] | None = None) -> None:
        """Ask without waiting for answers; a leaf that connects again is told again, since ranks wait for it."""
        message = packed({"ask": next(self._numbers), "what": what, "arguments": arguments, "seconds": _ANSWER})
        for key in self.connections if whom is None else whom:
            self._standing[key][what, *arguments] = message
            self._server.send(self.connections[key].address, message)

    def tell_once(self, what: str, *arguments: Any) -> None:
        """The same to all leaves, which may get lost."""
        message = packed({"ask": next(self._numbers), "what": what, "arguments": arguments, "seconds": _ANSWER})
        for one in self.connections.values():
            if one.address:
                self._server.send(one.address, message)

    def wait(self, seconds: float, least: float = 0.0) -> Event:
        """Sleep until an event on any host, and at ``least`` so many seconds if it is not urgent."""
        begun = self._clock()
        while self._event is not Event.URGENT:
            passed = self._clock() - begun
            if passed >= seconds or (self._event and passed >= least):
                break
            self._poll(min(seconds - passed, least - passed if self._event else seconds, PING))
        happened, self._event = self._event, Event.NONE
        return happened

    def leave_to(self, leaders: Mapping[str, Sequence[str]]) -> None:
        """From now on ask only these leaves, each of which leads others, and says itself how many ranks are alive."""
        for key, led in leaders.items():
            one = self.connections[key]
            ranks = {rank for other in led for rank in self.connections[other].peer.ranks}
            one.peer = replace(one.peer, ranks=tuple(sorted(ranks.union(one.peer.ranks))))
        self.connections = {key: self.connections[key] for key in leaders}
        self._server.admit(leaders.keys())

    def bye(self, alone: str = "") -> None:
        """End the leaves' monitors, or leave them to themselves for a reason, and end the connections."""
        self._tell_all({"alone": alone} if alone else {"bye": 1})
        self.close()

    def close(self) -> None:
        """End the connections."""
        self._events.close()
        self._server.close()

    def _poll(self, seconds: float) -> None:
        now = self._clock()
        if now - self._pinged >= PING:
            self._pinged = now
            self._tell_all({"ping": 1})
        self._poller.poll(int(max(0.0, seconds) * 1000) + 1)
        self._event = max(self._event, self._events.taken())
        for key, address, data in self._server.receive():
            if key in self.connections:
                self._take(key, address, data)
        self._look_for_lost()

    def _take(self, key: str, address: bytes, data: bytes) -> None:
        one = self.connections[key]
        if one.address != address:
            for message in self._standing[key].values():
                self._server.send(address, message)
        one.address, one.heard = address, self._clock()
        if one.lost:
            self._say(f"{one.name} responds again: its ranks are compared with the others")
        one.late = one.lost = False
        with suppress(ValueError, KeyError, TypeError):  # of another version, or damaged
            found = unpacked(data)
            if "hello" in found:
                one.name, one.alive = str(found["hello"]), int(found["alive"])
                self._server.send(address, packed(self._greeting))
            elif "ping" in found:
                one.name, one.alive = str(found["ping"]), int(found["alive"])
            elif "event" in found:
                self._event = max(self._event, Event(found["event"]))
                one.alive = int(found["alive"])
            elif "answer" in found:
                self._answers[key, int(found["answer"])] = {**found, "size": len(data)}

    def _look_for_lost(self) -> None:
        now = self._clock()
        for one in self.connections.values():
            if one.late and not one.lost and now - one.heard > LOST / 2:
                one.lost = True
                self._say(
                    f"{one.name} has not responded for {now - one.heard:.0f} s: {wording.ranks(one.peer.ranks)} "
                    f"{wording.verb(one.peer.ranks, 'is', 'are')} not compared with the others meanwhile"
                )

    def _tell_all(self, message: dict[str, Any]) -> None:
        data = packed(message)
        for one in self.connections.values():
            if one.address:
                self._server.send(one.address, data)


def _answer(reply: Mapping[str, Any], asked: float, answered: float) -> Answer:
    return Answer(reply.get("value"), asked, answered, int(reply["size"]), str(reply.get("error", "")))
