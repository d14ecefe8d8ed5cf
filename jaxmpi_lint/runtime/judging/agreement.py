"""With `strict`, on several hosts: which collectives may begin, or be completed if they do not block.

On one host the ranks compare at the call, and wait for each other before a blocking one; see `strict.cpp`. Where a
communicator has ranks on several hosts, they then wait until the monitor has compared what all of them have entered,
and until it lets them go: also if nothing can be compared, so that no rank waits for a verdict that will never come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging.between_hosts import BetweenHosts
from jaxmpi_lint.runtime.judging.hash_divergence import diverged, first_difference, sides
from jaxmpi_lint.runtime.judging.histories import History
from jaxmpi_lint.runtime.judging.wait_for_graph import has_left
from jaxmpi_lint.runtime.ledger.interface import LedgerReader
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Lane, Snapshot, Thread

_RECENT = 512  # collectives that are compared where ranks have entered more
_SIDES = 9  # ranks with different hashes that are compared
_MISSING = 10.0  # seconds without the ranks of a host, after which ranks no longer wait for each other
_JUDGED = 3.0  # seconds after which ranks no longer wait although a rank has ended before their collective
_WORD = 1 << 64


class Agreement:
    """Which collectives may begin."""

    def __init__(self, book: LedgerReader) -> None:
        self._book = book
        self._compared: dict[int, int] = {}  # by identity: so many collectives of a communicator
        self._since: float | None = None  # since when ranks wait while a host is missing
        self._left: set[int] = set()  # ranks that have ended
        self._left_behind: dict[int, float] = {}  # communicators on which such ranks are behind, and since when
        self._lacking = False  # there is one, of which ranks are not let go yet
        self.over = False  # ranks no longer wait for each other

    def entered(self, snapshot: Snapshot) -> list[tuple[Communicator, int]]:
        """Communicators on which hosts wait, with the number of collectives that all members have entered."""
        left = _left(snapshot)
        self._lacking = False
        found = ((one, self._entered(one, left, snapshot)) for one in snapshot.communicators if one.awaited)
        return [(one, count) for one, count in found if count]

    def _entered(self, communicator: Communicator, left: set[int], snapshot: Snapshot) -> int:
        """As far as can be known; of a member that has left it is known that it enters no more.

        Others that wait for it are judged first: a library that sends to a process which has ended may end itself.
        """
        if communicator.unchecked or snapshot.communicators_overflow:
            return communicator.awaited
        if len(communicator.lanes) < communicator.size:
            return self._compared.get(communicator.id, 0)
        counts = [lane.count for lane in communicator.lanes if lane.rank not in left]
        found, least = min(counts, default=communicator.awaited), min(lane.count for lane in communicator.lanes)
        if found > least and snapshot.taken - self._left_behind.setdefault(communicator.id, snapshot.taken) < _JUDGED:
            self._lacking = True
            return least
        return found

    def differing(
        self, entered: Sequence[tuple[Communicator, int]], snapshot: Snapshot, history: History, known: set[int]
    ) -> list[Finding]:
        """What differs in them; those of communicators in ``known``, to which others are added, are not compared."""
        found: list[Finding] = []
        for one, count in entered:
            before = self._compared.get(one.id, 0)
            if count <= before:
                continue
            self._compared[one.id] = count
            if not one.unchecked and one.index not in known and not _is_equal(one, count):
                found += self._differing(one, range(before, count), snapshot, history, known)
        return found

    def _differing(
        self, communicator: Communicator, span: range, snapshot: Snapshot, history: History, known: set[int]
    ) -> list[Finding]:
        """First by the hashes of ranks that wait; of others these may be out of step with the count."""
        only = replace(snapshot, communicators=(communicator,))
        waiting = {rank.rank for rank in snapshot.ranks if any(_waits(one, communicator) for one in rank.threads)}
        resting = {lane.rank for lane in communicator.lanes if lane.rank in waiting and lane.count == span.stop}
        found = [*diverged(only, history, resting, known)]
        found += BetweenHosts(self._book.distant_parts, self._book.formers).differing(only, history, resting, known)
        if found or all(lane.rank in resting for lane in communicator.lanes):
            return found
        return self._moving(communicator, span, snapshot, history, known)

    def _moving(
        self, communicator: Communicator, span: range, snapshot: Snapshot, history: History, known: set[int]
    ) -> list[Finding]:
        """Some may be ahead: their histories have what all ranks have entered."""
        span = range(max(span.start, span.stop - _RECENT), span.stop)
        hashes = {
            rank: found for rank, found in self._book.span_hashes(communicator.id, span.start, span.stop) if found
        }
        for lanes in sides(communicator):
            different = {hashes[lane.rank]: lane for lane in reversed(lanes) if lane.rank in hashes}
            shown = sorted(different.values(), key=_rank)[:_SIDES]
            for other in shown[1:]:
                found = first_difference(communicator, (shown[0], other), snapshot, history, span)
                if found is not None:
                    known.add(communicator.index)
                    return [found]
        return []

    @property
    def is_waiting(self) -> bool:
        """Whether ranks are missing that may be there again, or are judged, in the next snapshot."""
        return self._since is not None or self._lacking

    def lost(self, snapshot: Snapshot) -> frozenset[int] | None:
        """The ranks, except those that ended, that are missing for so long that nobody waits for them; else None."""
        present = {rank.rank for rank in snapshot.ranks}
        self._left |= _left(snapshot)
        waiting = any(one.awaited for one in snapshot.communicators) or any(
            thread.activity == "blocked" for rank in snapshot.ranks for thread in rank.threads
        )
        if len(present) == snapshot.world_size or not waiting:
            self._since = None
            return None
        if self._since is None:
            self._since = snapshot.taken
        if snapshot.taken - self._since < _MISSING:
            return None
        self._since, self.over = None, True
        return frozenset(range(snapshot.world_size)) - present - self._left


def _rank(lane: Lane) -> int:
    return lane.rank


def _waits(thread: Thread, communicator: Communicator) -> bool:
    """Whether it is in a collective, or waits for one to be completed, so that it enters no more meanwhile."""
    numbers = [thread.communicator, *(wait.communicator for wait in thread.waits)]
    return thread.activity == "blocked" and communicator.index in numbers


def _left(snapshot: Snapshot) -> set[int]:
    return {rank.rank for rank in snapshot.ranks if has_left(rank)}


def _is_equal(communicator: Communicator, count: int) -> bool:
    """Whether all members have entered so many collectives, with all arguments equal."""
    lanes = communicator.lanes
    if any(lane.count != count for lane in lanes):
        return False
    if any(len({(lane.rolling, lane.fine) for lane in side}) > 1 for side in sides(communicator)):
        return False
    return not (sum(lane.sizes for lane in lanes) % _WORD or sum(lane.kinds for lane in lanes) % _WORD)
