"""How a monitor joins those of the other hosts: as the root, as a leaf, or not at all.

One that is started again, because the first was killed, has the same keys and the same address, so that the others need
not learn of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from jaxmpi_lint import __version__
from jaxmpi_lint.runtime.hosts import meeting, sockets, tree
from jaxmpi_lint.runtime.hosts.events import Events
from jaxmpi_lint.runtime.hosts.joined import JoinedLedger, announcement
from jaxmpi_lint.runtime.hosts.leaf import Leaf
from jaxmpi_lint.runtime.hosts.meeting import Meeting, Offer
from jaxmpi_lint.runtime.hosts.root import Root
from jaxmpi_lint.runtime.hosts.tree import Place
from jaxmpi_lint.runtime.judging.deaths import Deaths
from jaxmpi_lint.runtime.ledger.reader import Ledger
from jaxmpi_lint.runtime.ledger.snapshot import Snapshot
from jaxmpi_lint.runtime.settings.monitor_options import MonitorOptions

_STEP = 0.002
_LONGER = 10.0  # seconds beyond `attach_seconds` after which the first rank must have found the other hosts


class Joining:
    """Finds the other hosts of a job; ``say`` writes a line to its standard error."""

    def __init__(
        self, book: Ledger, deaths: Deaths, options: MonitorOptions, say: Callable[[str], None], folder: str
    ) -> None:
        """``folder``: where this host stores its ledger after an error."""
        self._book, self._deaths, self._options, self._say = book, deaths, options, say
        self._folder, self._directory = folder, Path(book.directory)
        self._own: Offer | None = None
        self._keys: sockets.Keys | None = None
        self._server: sockets.Server | None = None

    def join(self) -> JoinedLedger | Leaf | None:
        """The ledgers of all hosts for the root, the duty of a leaf, or None if each host is checked on its own."""
        begun = self._book.snapshot()
        self._offer(is_root=any(rank.rank == 0 for rank in begun.ranks))
        met = self._met(len(begun.ranks))
        joined: JoinedLedger | Leaf | str = met.reason
        if met.role in ("root", "leaf") and self._own is not None:
            joined = meeting.differing(self._own, met.peers)
            if not joined:
                joined = self._lead(met) if met.role == "root" else self._follow(met, begun)
        if isinstance(joined, str):
            self._close()
            self._say(announcement(begun, met.unchecked, joined))
            return None
        if isinstance(joined, JoinedLedger):
            self._say(announcement(joined.snapshot(), met.unchecked))
        return joined

    def _offer(self, is_root: bool) -> None:
        problem = "hosts=off" if self._options.hosts == "off" else sockets.problem()
        if not problem:
            try:
                self._keys = sockets.Keys.kept(self._directory / meeting.KEYS)
                if is_root:
                    port = meeting.former_port(self._directory)
                    self._server = sockets.Server(self._keys, self._options.interface, port)
            except OSError as error:
                problem = str(error)
        if problem or self._keys is None:
            meeting.leave_offer(self._directory, problem)
            return
        reached = self._server.addresses if self._server is not None else ()
        self._own = Offer(self._keys.name, reached, __version__, sockets.short_hash(self._book.options))
        meeting.leave_offer(self._directory, self._own)

    def _met(self, ranks: int) -> Meeting:
        until = time.monotonic() + self._options.attach_seconds + _LONGER
        while time.monotonic() < until:
            try:
                met = meeting.read(self._directory)
            except ValueError:
                return Meeting("alone", (), "another host has a different version of the sanitizer", "")
            if met is not None:
                return met
            if self._book.local_alive() < ranks:
                return Meeting("alone", (), "a rank ended before the hosts had found each other", "")
            time.sleep(_STEP)
        return Meeting("alone", (), "the first rank of this host did not look for other hosts", "")

    def _lead(self, met: Meeting) -> JoinedLedger | str:
        assert self._server is not None
        root = Root(self._server, met.peers, Events(self._book), self._say)
        self._server = None
        seconds = self._options.attach_seconds
        if reason := root.meet(seconds) or tree.split(root, self._options.fan_out, seconds):
            root.bye(alone=reason)
            return reason
        return JoinedLedger(self._book, root)

    def _follow(self, met: Meeting, begun: Snapshot) -> Leaf | str:
        offer = met.peers[0].offer
        if offer is None or self._keys is None:
            return met.peers[0].refusal
        try:
            client = sockets.Client(self._keys, offer.key, offer.addresses)
        except OSError as error:
            return str(error)
        place = Place(self._keys, self._options.interface, self._book, self._deaths, self._folder, self._say)
        leaf = Leaf(client, place, begun.host)
        if leaf.meet(self._options.attach_seconds + _LONGER):
            return leaf
        leaf.close()
        return leaf.reason

    def _close(self) -> None:
        if self._server is not None:
            self._server.close()
