"""Collectives of ranks on different hosts, compared argument by argument where only the exact hashes differ.

On one host the ranks compare all arguments themselves, at the call. Between hosts the rolling hashes hold what must be
equal; the fine ones hold everything, also what may differ (bytes against a type, the operators of a program), and are
never a finding by themselves: where they differ, the histories are read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging.hash_divergence import first_difference, sides
from jaxmpi_lint.runtime.judging.histories import History
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Lane, Snapshot

_RECENT = 512  # collectives that are compared
_SECONDS = 5.0  # between two readings of histories, which hosts must send


class ExactComparison:
    """Compares each state of a communicator once."""

    def __init__(self) -> None:
        self._compared: set[tuple[int, int]] = set()
        self._last = float("-inf")

    def look(
        self, snapshot: Snapshot, history: History, resting: Collection[int], final: bool = False
    ) -> Iterator[Finding]:
        """A finding for each difference; ``final``: at the end of the job, when nothing more will be compared."""
        if not resting or not snapshot.spans_hosts or (not final and snapshot.taken - self._last < _SECONDS):
            return
        hosts = {rank.rank: rank.host for rank in snapshot.ranks}
        for communicator in snapshot.communicators:
            pair = _pair(communicator, resting, hosts)
            if pair is None or (communicator.index, pair[0].count) in self._compared:
                continue
            self._compared.add((communicator.index, pair[0].count))
            self._last = snapshot.taken
            span = range(max(0, pair[0].count - _RECENT), pair[0].count)
            found = first_difference(communicator, pair, snapshot, history, span)
            if found is not None:
                yield found
            if not final:
                return


def _pair(communicator: Communicator, resting: Collection[int], hosts: dict[int, str]) -> tuple[Lane, Lane] | None:
    """Two ranks at rest on different hosts, after equal numbers of collectives that are not exactly equal."""
    if communicator.unchecked:
        return None
    for lanes in sides(communicator):
        still = [lane for lane in lanes if lane.rank in resting and lane.count]
        for lane in still[1:]:
            first = still[0]
            alike = (lane.count, lane.rolling) == (first.count, first.rolling)
            if alike and lane.fine != first.fine and hosts.get(lane.rank) != hosts.get(first.rank):
                return first, lane
    return None
