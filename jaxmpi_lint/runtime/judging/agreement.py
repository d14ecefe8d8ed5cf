"""With `strict`, on several hosts: a blocking collective begins once all its ranks are found to have entered the same.

On one host the ranks compare at the call and wait for each other; see `strict.cpp`. Where a communicator has ranks on
several hosts, they then wait until the monitor has compared them, and until it lets them go: also if nothing can be
compared, so that no rank waits for a verdict that will never come.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging.between_hosts import BetweenHosts
from jaxmpi_lint.runtime.judging.distant_parts import Parts
from jaxmpi_lint.runtime.judging.former import Formers
from jaxmpi_lint.runtime.judging.hash_divergence import diverged, first_difference, sides
from jaxmpi_lint.runtime.judging.mismatches import History
from jaxmpi_lint.runtime.judging.wait_for_graph import has_left
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Lane, Snapshot

_RECENT = 512  # collectives that are compared
_MISSING = 10.0  # seconds without the ranks of a host, after which ranks no longer wait for each other
_WORD = 1 << 64


class Agreement:
    """Which collectives may begin."""

    def __init__(self, parts: Parts, formers: Formers) -> None:
        self._parts, self._formers = parts, formers
        self._compared: dict[int, int] = {}  # by identity: so many collectives of a communicator
        self._since: float | None = None  # since when ranks wait while a host is missing
        self._left: set[int] = set()  # ranks that have ended
        self.over = False  # ranks no longer wait for each other

    def entered(self, snapshot: Snapshot) -> list[tuple[Communicator, int]]:
        """Communicators in whose collective ranks wait that all of them have entered, with the number of it."""
        awaited: dict[int, int] = {}
        for rank in snapshot.ranks:
            for thread in rank.threads:
                if thread.activity == "blocked" and thread.communicator is not None and thread.signature is not None:
                    count = thread.ordinal + 1
                    awaited[thread.communicator] = min(count, awaited.get(thread.communicator, count))
        left = _left(snapshot)
        return [
            (one, awaited[one.index])
            for one in snapshot.communicators
            if one.index in awaited and _all_entered(one, awaited[one.index], left, snapshot)
        ]

    def differing(
        self, entered: Sequence[tuple[Communicator, int]], snapshot: Snapshot, history: History, known: set[int]
    ) -> list[Finding]:
        """What differs in them; those of communicators in ``known``, to which others are added, are not compared."""
        found: list[Finding] = []
        for one, count in entered:
            if count <= self._compared.get(one.id, 0):
                continue
            self._compared[one.id] = count
            if not one.unchecked and one.index not in known and not _is_equal(one, count):
                found += self._differing(one, count, snapshot, history, known)
        return found

    def _differing(
        self, communicator: Communicator, count: int, snapshot: Snapshot, history: History, known: set[int]
    ) -> list[Finding]:
        """The ranks that wait are at rest on it, whatever their other threads do."""
        only = replace(snapshot, communicators=(communicator,))
        resting = {lane.rank for lane in communicator.lanes if lane.count == count}
        found = [*diverged(only, history, resting, known)]
        found += BetweenHosts(self._parts, self._formers).differing(only, history, resting, known)
        return found or [*self._ahead(communicator, count, snapshot, history)]

    @staticmethod
    def _ahead(communicator: Communicator, count: int, snapshot: Snapshot, history: History) -> Iterator[Finding]:
        """Those that are ahead have not waited: their call is perhaps not a blocking one."""
        span = range(max(0, count - _RECENT), count)
        for lanes in filter(None, sides(communicator)):
            first, last = min(lanes, key=_count), max(lanes, key=_count)
            if first.count == count < last.count:
                found = first_difference(communicator, (first, last), snapshot, history, span)
                if found is not None:
                    yield found

    @property
    def is_waiting(self) -> bool:
        """Whether ranks are missing that may be there again in the next snapshot."""
        return self._since is not None

    def lost(self, snapshot: Snapshot) -> frozenset[int] | None:
        """The ranks, except those that ended, that are missing for so long that nobody waits for them; else None."""
        present = {rank.rank for rank in snapshot.ranks}
        self._left |= _left(snapshot)
        waiting = any(thread.activity == "blocked" for rank in snapshot.ranks for thread in rank.threads)
        if len(present) == snapshot.world_size or not waiting:
            self._since = None
            return None
        if self._since is None:
            self._since = snapshot.taken
        if snapshot.taken - self._since < _MISSING:
            return None
        self._since, self.over = None, True
        return frozenset(range(snapshot.world_size)) - present - self._left


def _count(lane: Lane) -> int:
    return lane.count


def _left(snapshot: Snapshot) -> set[int]:
    return {rank.rank for rank in snapshot.ranks if has_left(rank)}


def _all_entered(communicator: Communicator, count: int, left: set[int], snapshot: Snapshot) -> bool:
    """Whether no member is still to enter it, as far as can be known; of one that has left it is known."""
    if communicator.unchecked or snapshot.communicators_overflow:
        return True
    if len(communicator.lanes) < communicator.size:
        return False
    return all(lane.count >= count or lane.rank in left for lane in communicator.lanes)


def _is_equal(communicator: Communicator, count: int) -> bool:
    """Whether all members have entered so many collectives, with all arguments equal."""
    lanes = communicator.lanes
    if any(lane.count != count for lane in lanes):
        return False
    if any(len({(lane.rolling, lane.fine) for lane in side}) > 1 for side in sides(communicator)):
        return False
    return not (sum(lane.sizes for lane in lanes) % _WORD or sum(lane.kinds for lane in lanes) % _WORD)
