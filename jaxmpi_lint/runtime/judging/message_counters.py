"""The message counters of a snapshot: whether a blocked receive or send can complete."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from jaxmpi_lint.runtime.ledger.snapshot import Channel, Snapshot, Wait


class Messages:
    """The channels of a snapshot by their ends. In doubt, a call counts as one that can complete."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.overflow = snapshot.channels_overflow
        self._exact: dict[tuple[int, int, int, int], Channel] = {}
        self._to: dict[tuple[int, int], list[Channel]] = defaultdict(list)
        self._wild: dict[tuple[int, int], list[Channel]] = defaultdict(list)
        for channel in snapshot.channels:
            place = (channel.communicator, channel.destination)
            if channel.source is None or channel.tag is None:
                self._wild[place].append(channel)
            else:
                self._exact[channel.communicator, channel.source, channel.destination, channel.tag] = channel
                self._to[place].append(channel)

    def waiting_for(self, rank: int, wait: Wait) -> bool:
        """Whether a message has been sent that this receive or probe of ``rank`` may match."""
        if self.overflow:
            return True
        exact = self._exact_channel(wait, wait.peer, rank)
        if exact is not None and wait.ordinal:
            return exact.sent >= wait.ordinal
        return any(channel.sent > channel.received for channel in self._matching(rank, wait))

    def taken(self, rank: int, wait: Wait) -> bool:
        """Whether a receive is posted that this send of ``rank`` may match."""
        if self.overflow or wait.peer is None or wait.tag is None:
            return True
        exact = self._exact_channel(wait, rank, wait.peer)
        if exact is not None and wait.ordinal and exact.received >= wait.ordinal:
            return True
        wild = self._wild[wait.communicator, wait.peer]
        fitting = [c for c in wild if c.source in (None, rank) and c.tag in (None, wait.tag)]
        if any(channel.posted > channel.completed for channel in fitting):
            return True
        if exact is None:
            return False
        return exact.posted >= wait.ordinal if wait.ordinal else exact.posted > exact.completed

    def unreceived(self) -> Iterator[Channel]:
        """Channels with messages that have not been received."""
        for channels in self._to.values():
            yield from (channel for channel in channels if channel.sent > channel.received)

    def _exact_channel(self, wait: Wait, source: int | None, destination: int | None) -> Channel | None:
        if source is None or destination is None or wait.tag is None or wait.any_source:
            return None
        return self._exact.get((wait.communicator, source, destination, wait.tag))

    def _matching(self, rank: int, wait: Wait) -> Iterator[Channel]:
        for channel in self._to[wait.communicator, rank]:
            from_there = wait.any_source or channel.source == wait.peer
            if from_there and wait.tag in (None, channel.tag):
                yield channel
