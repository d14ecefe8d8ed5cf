"""The monitor of a host whose ranks are judged by the root."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.runtime.hosts.events import Event, Events
from jaxmpi_lint.runtime.hosts.wire import LOST, PING, packed, unpacked

if TYPE_CHECKING:
    from jaxmpi_lint.runtime.hosts.sockets import Client
    from jaxmpi_lint.runtime.hosts.tree import Place

_GREETING, _LONGEST = 0.5, 4.0  # seconds between attempts to be welcomed: more and more, many may try at once
_STEP = 1.0  # seconds
_AFTER_END = 5.0  # seconds for which the root may still ask about ranks that have ended


class Leaf:
    """Answers the root, or the leaf that leads it, until that says goodbye or is lost."""

    def __init__(self, client: Client, place: Place, host: str, clock: Callable[[], float] = time.monotonic) -> None:
        import zmq

        self._client, self._place, self._host, self._clock = client, place, host, clock
        self._events = Events(place.book)
        self._poller = zmq.Poller()
        self._poller.register(self._events.descriptor, zmq.POLLIN)
        self._poller.register(client.socket, zmq.POLLIN)
        self._heard = self._looked = self._pinged = clock()
        self._greeted, self._pause = float("-inf"), _GREETING
        self._ended = self._heard
        self._alive = place.book.ranks_alive()
        self._known = self._welcome = False
        self._event = Event.NONE  # that the other side does not know yet
        self._leader = "the first host"
        self.over = False
        self.reason = ""  # why this host is left to itself

    def meet(self, seconds: float) -> bool:
        """Whether the root has welcomed this host in time."""
        until = self._clock() + seconds
        while not self._welcome and not self.reason and self._clock() < until:
            self._step(_GREETING)
        if not self._welcome and not self.reason:
            self.reason = f"the monitor of {self._leader} did not respond"
        return self._welcome

    def serve(self) -> None:
        """Answer until the root is gone, or this host is left to itself."""
        while not self.over and not self.reason:
            self._step(_STEP if self._welcome else _GREETING)
            self._look()

    def _step(self, seconds: float) -> None:
        self._greet()
        self._poller.poll(int(seconds * 1000))
        for data in list(self._client.receive()):  # one may change the connection
            self._take(data)
        source = self._place.root or self._events
        self._event = max(self._event, source.taken())
        if self._event and self._welcome:
            self._tell(self._event)
            self._event = Event.NONE

    def _greet(self) -> None:
        """Ask to be welcomed, on a new connection if nothing came on the last one."""
        if self._welcome or self._clock() - self._greeted < self._pause:
            return
        if self._greeted > float("-inf") and not self._known:
            self._pause = min(2 * self._pause, _LONGEST)
            self._change(self._client.connect_again)
        self._greeted = self._clock()
        self._send({"hello": self._host, "alive": self._alive})

    def _change(self, change: Callable[[], None]) -> None:
        """Change the connection."""
        import zmq

        self._poller.unregister(self._client.socket)
        change()
        self._poller.register(self._client.socket, zmq.POLLIN)

    def _tell(self, event: Event) -> None:
        """There is something to look at."""
        self._alive = self._place.book.ranks_alive()
        self._send({"event": event, "alive": self._alive})

    def _look(self) -> None:
        now = self._clock()
        if now - self._looked > LOST / 2:  # this process was stopped
            self._heard = now
        self._looked = now
        if now - self._pinged > PING:  # a connection that was lost and made again is known by what comes on it
            self._pinged = now
            self._send({"ping": self._host, "alive": self._alive})  # a root that was started again knows neither
        if now - self._heard > LOST:
            self.reason = f"the monitor of {self._leader} has not responded for {now - self._heard:.0f} s"
        if self._place.book.ranks_alive() != self._alive:
            self._tell(Event.URGENT)
        if self._alive:
            self._ended = now
        elif now - max(self._ended, self._heard) > _AFTER_END:
            self.over = True

    def _take(self, data: bytes) -> None:
        self._heard, self._known = self._clock(), True
        try:
            message = unpacked(data)
        except ValueError:
            return
        if "ask" in message:
            self._answer(message)
        elif "welcome" in message:
            self._welcome = True
        elif "alone" in message:
            self.reason = str(message["alone"])
        elif "bye" in message:
            self.over = True

    def _answer(self, message: dict[str, Any]) -> None:
        reply: dict[str, Any] = {"answer": message["ask"]}
        led_by: Client | None = None
        try:
            what, arguments = message["what"], message["arguments"]
            if what == "follow":
                led_by = self._place.follow(*arguments)
            elif what == "gather":
                reply["value"] = self._place.gather(self._events, *arguments)
                self._watch_others()
            else:
                reply["value"] = self._place.answer(what, arguments, float(message["seconds"]))
        except (KeyError, TypeError, ValueError, IndexError, RuntimeError, OSError) as error:
            reply["error"] = f"{type(error).__name__}: {error}"
        self._send(reply)
        if led_by is not None:
            self._change(lambda: self._follow(led_by))

    def _watch_others(self) -> None:
        """Wake up at messages of those that this leaf leads."""
        import zmq

        if self._place.root is not None:
            for descriptor in self._place.root.descriptors:
                self._poller.register(descriptor, zmq.POLLIN)

    def _follow(self, leader: Client) -> None:
        """Answer another host from now on, once it has welcomed this one."""
        self._client.close()
        self._client, self._leader = leader, "the host that leads this one"
        self._welcome, self._known = False, False
        self._greeted, self._pause = float("-inf"), _GREETING

    def _send(self, message: dict[str, Any]) -> None:
        self._client.send(packed(message))

    def close(self) -> None:
        """End the connections."""
        self._place.close(self.reason)
        if self._place.root is None:
            self._events.close()
        self._client.close()
