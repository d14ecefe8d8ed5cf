"""One snapshot from those of several hosts, whose ledgers number communicators differently and have other clocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from jaxmpi_lint.runtime.hosts import portable
from jaxmpi_lint.runtime.hosts.portable import Packed, Translation
from jaxmpi_lint.runtime.ledger.snapshot import Channel, Communicator, DistantPart, RawFinding, Record, Snapshot, Thread

_CLOCK_SECONDS = 60.0
_NAMED = 4  # hosts named in a report


class HostView:
    """How the numbers and the clock of one host are translated."""

    def __init__(self, indexes: Indexes) -> None:
        self.later = 0.0  # seconds to add to its times
        self._spread, self._compared = float("inf"), 0.0
        self._indexes = indexes
        self._known: dict[int, int] = {}

    def set_clock(self, asked: float, answered: float, taken: float) -> None:
        """Compare clocks by an answer; the quickest one of the last minute is the most precise, since clocks drift."""
        if answered - asked < self._spread or answered - self._compared > _CLOCK_SECONDS:
            self._spread, self._compared = answered - asked, answered
            self.later = (asked + answered) / 2 - taken

    def index(self, own: int | None) -> int | None:
        """The index of a communicator in the merged snapshot."""
        if own is None:
            return None
        if own not in self._known:
            self._known[own] = self._indexes.new()
        return self._known[own]

    @property
    def translation(self) -> Translation:
        """To the clock of this host and the numbers of the merged snapshot."""
        return Translation(self.later, self.index)

    def unpacked(self, message: Packed, asked: float, answered: float) -> Snapshot:
        """The snapshot that another host has sent, with the times of this one and the numbers that all share."""
        self.set_clock(asked, answered, portable.taken(message))
        self._identify(portable.identities(message))
        return portable.unpacked_snapshot(message, self.translation)

    def snapshot(self, own: Snapshot) -> Snapshot:
        """The snapshot of this host, with the numbers that all hosts share."""
        self._identify(_identities(own))
        ranks = (
            replace(one, host=one.host or own.host, threads=tuple(map(self._thread, one.threads))) for one in own.ranks
        )
        return replace(
            own,
            communicators=tuple(replace(one, index=self._known[one.index]) for one in own.communicators),
            channels=tuple(replace(one, communicator=self._known[one.communicator]) for one in own.channels),
            findings=tuple(replace(one, communicator=self.index(one.communicator)) for one in own.findings),
            ranks=tuple(ranks),
        )

    def _identify(self, found: Iterable[tuple[int, int]]) -> None:
        for own, identity in found:
            self._known[own] = self._indexes.of(identity)

    def unpacked_communicators(self, message: Packed) -> list[Communicator]:
        """Communicators that another host has sent, with the numbers that all share."""
        self._identify(portable.identities(message))
        return portable.unpacked_communicators(message, self.translation)

    def communicators(self, own: Sequence[Communicator]) -> list[Communicator]:
        """Communicators of this host, likewise."""
        self._identify((one.index, one.id) for one in own)
        return [replace(one, index=self._known[one.index]) for one in own]

    def _thread(self, thread: Thread) -> Thread:
        waits = tuple(replace(wait, communicator=self._numbered(wait.communicator)) for wait in thread.waits)
        return replace(thread, communicator=self.index(thread.communicator), waits=waits)

    def _numbered(self, own: int) -> int:
        found = self.index(own)
        assert found is not None
        return found

    def record(self, one: Record) -> Record:
        """A record of this host, likewise."""
        return replace(one, communicator=self.index(one.communicator))

    def part(self, one: DistantPart) -> DistantPart:
        """A part of a collective of this host, likewise."""
        return replace(one, communicator=self._numbered(one.communicator))


def _identities(own: Snapshot) -> Iterator[tuple[int, int]]:
    yield from ((one.index, one.id) for one in own.communicators)
    yield from ((one.communicator, one.identity) for one in own.channels)


class Indexes:
    """The numbers of communicators in merged snapshots, by their identities, which are equal on all hosts."""

    def __init__(self) -> None:
        self._numbers = count()
        self._by_identity: dict[int, int] = {}

    def new(self) -> int:
        """A number for a communicator whose identity is not known."""
        return next(self._numbers)

    def of(self, identity: int) -> int:
        """The number of an identity."""
        if identity not in self._by_identity:
            self._by_identity[identity] = self.new()
        return self._by_identity[identity]


def merged(hosts: Sequence[Snapshot], findings: Iterable[RawFinding], consistent: bool) -> Snapshot:
    """One snapshot of all hosts, the own one first; ``findings`` in the order in which they became known."""
    own = hosts[0]
    ranks = sorted((rank for one in hosts for rank in one.ranks), key=lambda rank: rank.rank)
    names = sorted({rank.host for rank in ranks} or {own.host})
    shown = ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")
    return replace(
        own,
        consistent=consistent and all(one.consistent for one in hosts),
        host=f"{len(names)} hosts ({shown})" if len(names) > 1 else own.host,
        ranks=tuple(ranks),
        communicators=tuple(_communicators(hosts)),
        channels=tuple(_channels(hosts)),
        channels_overflow=any(one.channels_overflow for one in hosts),
        communicators_overflow=any(one.communicators_overflow for one in hosts),
        findings=tuple(findings),
    )


def _communicators(hosts: Sequence[Snapshot]) -> Iterator[Communicator]:
    by_index: dict[int, list[Communicator]] = defaultdict(list)
    for one in hosts:
        for communicator in one.communicators:
            by_index[communicator.index].append(communicator)
    for parts in by_index.values():
        lanes = sorted((lane for part in parts for lane in part.lanes), key=lambda lane: lane.rank)
        yield replace(
            parts[0],
            private=all(part.private for part in parts),
            unchecked=any(part.unchecked for part in parts),
            lanes=tuple(lanes),
            remote=tuple(sorted({rank for part in parts for rank in part.remote})),
            awaited=max(part.awaited for part in parts),
            failed=min((part.failed for part in parts if part.failed is not None), default=None),
        )


def _channels(hosts: Sequence[Snapshot]) -> Iterator[Channel]:
    """What the host of the source has counted, and what that of the destination has."""
    by_key: dict[tuple[int, int | None, int, int | None], Channel] = {}
    for one in hosts:
        for channel in one.channels:
            key = (channel.communicator, channel.source, channel.destination, channel.tag)
            before = by_key.get(key)
            by_key[key] = channel if before is None else _joined(before, channel)
    yield from by_key.values()


def _joined(first: Channel, second: Channel) -> Channel:
    return replace(
        first,
        sent=first.sent + second.sent,
        received=first.received + second.received,
        posted=first.posted + second.posted,
        completed=first.completed + second.completed,
        site=first.site or second.site,
    )
