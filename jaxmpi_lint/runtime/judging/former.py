"""Communicators that ranks have freed: a snapshot lacks them once all members on a host have done so.

Ranks of one host compare at the call, and leave the entry in place if they differ. Between hosts, each rank keeps what
it entered on the latest ones, and a sum over all of them, which cancels out over all ranks if nothing differs; see
`former.hpp`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Snapshot

Formers = Callable[[int, int], Sequence[Communicator]]
"""The last communicators that a world rank has freed, at most so many, each with the lane of this rank."""

_MOST = 100_000  # of all ranks together
_WORD = 1 << 64


def completed(snapshot: Snapshot, formers: Formers) -> Snapshot:
    """The snapshot with the communicators that ranks have freed, if any of them may differ."""
    if not snapshot.spans_hosts or not sum(rank.freed for rank in snapshot.ranks) % _WORD:
        return snapshot
    present = [rank.rank for rank in snapshot.ranks if rank.state != "absent"]
    most = max(1, _MOST // len(present))
    freed = [one for rank in present for one in formers(rank, most)]
    return replace(snapshot, communicators=tuple(_united([*snapshot.communicators, *freed])))


def _united(communicators: Iterable[Communicator]) -> Iterator[Communicator]:
    """Each communicator once, with the lanes of all ranks of which there are any."""
    by_index: dict[int, list[Communicator]] = defaultdict(list)
    for one in communicators:
        by_index[one.index].append(one)
    for parts in by_index.values():
        lanes = {lane.rank: lane for part in reversed(parts) for lane in part.lanes}
        yield replace(
            parts[0],
            unchecked=any(part.unchecked for part in parts),
            lanes=tuple(lanes[rank] for rank in sorted(lanes)),
        )
