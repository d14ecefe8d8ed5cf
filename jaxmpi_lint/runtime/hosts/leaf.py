"""The monitor of a host whose ranks are judged by the root."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from jaxmpi_lint.runtime.hosts.asking import Answers
from jaxmpi_lint.runtime.hosts.events import Event, Events
from jaxmpi_lint.runtime.hosts.sockets import Client
from jaxmpi_lint.runtime.hosts.wire import packed, unpacked
from jaxmpi_lint.runtime.ledger.interface import LedgerReader

PING = 2.0  # seconds between signs of life
LOST = 10.0  # seconds without a message, after which the other side is lost
_GREETING = 500  # milliseconds between attempts to be welcomed
_STEP = 1000  # milliseconds
_AFTER_END = 5.0  # seconds for which the root may still ask about ranks that have ended


class Leaf:
    """Answers the root until it says goodbye, or is lost."""

    def __init__(
        self,
        client: Client,
        answers: Answers,
        book: LedgerReader,
        host: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        import zmq

        self._client, self._answers, self._book, self._host, self._clock = client, answers, book, host, clock
        self._events = Events(book)
        self._poller = zmq.Poller()
        self._poller.register(self._events.descriptor, zmq.POLLIN)
        self._heard = self._looked = self._pinged = clock()
        self._ended = self._heard
        self._alive = book.local_alive()
        self.over = False
        self.reason = ""  # why this host is left to itself

    def meet(self, seconds: float) -> bool:
        """Whether the root has welcomed this host in time."""
        import zmq

        until, welcome, known = self._clock() + seconds, False, False
        while not welcome and not self.reason and self._clock() < until:
            if not known:
                self._send({"hello": self._host, "alive": self._alive})
            if self._client.socket.poll(_GREETING):
                known = True
                welcome = "welcome" in [self._take(data) for data in self._client.receive()]
            elif not known:
                self._client.connect_again()
        self._poller.register(self._client.socket, zmq.POLLIN)
        if not welcome and not self.reason:
            self.reason = "the monitor of the first host did not respond"
        return welcome

    def serve(self) -> None:
        """Answer until the root is gone, or this host is left to itself."""
        while not self.over and not self.reason:
            self._poller.poll(_STEP)
            for data in self._client.receive():
                self._take(data)
            if event := self._events.taken():
                self._tell(event)
            self._look()

    def _tell(self, event: Event) -> None:
        """There is something to look at."""
        self._alive = self._book.local_alive()
        self._send({"event": event, "alive": self._alive})

    def _look(self) -> None:
        now = self._clock()
        if now - self._looked > LOST / 2:  # this process was stopped
            self._heard = now
        self._looked = now
        if now - self._pinged > PING:  # a connection that was lost and made again is known by what comes on it
            self._pinged = now
            self._send({"ping": 1})
        if now - self._heard > LOST:
            self.reason = f"the monitor of the first host has not responded for {now - self._heard:.0f} s"
        if self._book.local_alive() != self._alive:
            self._tell(Event.URGENT)
        if self._alive:
            self._ended = now
        elif now - max(self._ended, self._heard) > _AFTER_END:
            self.over = True

    def _take(self, data: bytes) -> str:
        """Act on a message; its kind."""
        self._heard = self._clock()
        try:
            message = unpacked(data)
        except ValueError:
            return ""
        if "ask" in message:
            self._answer(message)
        elif "alone" in message:
            self.reason = str(message["alone"])
        elif "bye" in message:
            self.over = True
        return next(iter(message), "")

    def _answer(self, message: dict[str, Any]) -> None:
        reply: dict[str, Any] = {"answer": message["ask"]}
        try:
            reply["value"] = self._answers.answer(message["what"], message["arguments"])
        except (KeyError, TypeError, ValueError, IndexError, RuntimeError) as error:
            reply["error"] = f"{type(error).__name__}: {error}"
        self._send(reply)

    def _send(self, message: dict[str, Any]) -> None:
        self._client.send(packed(message))

    def close(self) -> None:
        """End the connection."""
        self._events.close()
        self._client.close()
