"""Mismatched collectives that were not compared: the rolling hashes of a communicator's ranks, compared at rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.judging.mismatches import History, is_collective, mismatch, past
from jaxmpi_lint.runtime.judging.wait_for_graph import has_left
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Lane, RawFinding, Record, Snapshot


def diverged(snapshot: Snapshot, history: History, resting: Iterable[int] | None = None) -> Iterator[Finding]:
    """A finding for each communicator whose ranks entered different collectives.

    Only ranks at rest count, inside a call or at the end: otherwise number and hash may be out of step.
    """
    if resting is None:
        resting = [rank.rank for rank in snapshot.ranks if has_left(rank)]
    still = frozenset(resting)
    for communicator in snapshot.communicators:
        if communicator.unchecked:
            continue
        for lanes in _sides(communicator):
            by_count: dict[int, list[Lane]] = defaultdict(list)
            for lane in lanes:
                if lane.rank in still and lane.count:
                    by_count[lane.count].append(lane)
            for count, equal in by_count.items():
                if len({lane.rolling for lane in equal}) > 1:
                    yield _finding(communicator, count, equal, snapshot, history)


def _sides(communicator: Communicator) -> Iterator[list[Lane]]:
    """The ranks that must have equal hashes: all of them, or each group of an intercommunicator."""
    lanes = [lane for lane in communicator.lanes if lane.state != "outside"]
    remote = set(communicator.remote) if communicator.kind == "inter" else set()
    yield [lane for lane in lanes if lane.rank not in remote]
    yield [lane for lane in lanes if lane.rank in remote]


def _finding(
    communicator: Communicator, count: int, lanes: Sequence[Lane], snapshot: Snapshot, history: History
) -> Finding:
    first, other = lanes[0], next(lane for lane in lanes if lane.rolling != lanes[0].rolling)
    pair = [_collectives(history(lane.rank), communicator.index) for lane in (first, other)]
    for ordinal in sorted(set(pair[0]) & set(pair[1])):
        mine, theirs = pair[0][ordinal], pair[1][ordinal]
        difference = _difference(mine, theirs)
        if difference:
            raw = RawFinding(
                "mismatch", difference, communicator.index, ordinal, first.rank, other.rank, mine.site, theirs.site,
                snapshot.taken, mine.signature, theirs.signature, 0, 0, "",
            )  # fmt: skip
            return mismatch([raw], snapshot, history)
    groups: dict[int, list[int]] = defaultdict(list)
    for lane in lanes:
        groups[lane.rolling].append(lane.rank)
    ordered = sorted(groups.values(), key=lambda ranks: (-len(ranks), ranks[0]))
    name = wording.communicator(communicator)
    message = (
        f"{' and '.join(wording.ranks(ranks) for ranks in ordered[:3])} have entered {count} collectives on {name}, "
    )
    message += "but different ones; the first difference is no longer in the history"
    sides = []
    for ranks in ordered:
        records = _collectives(history(ranks[0]), communicator.index)
        last = records[max(records)] if records else None
        call = f"last: {wording.record(last)}" if last else ""
        sides.append(Side(tuple(ranks), call, last.site if last else None))
    shown = past([tuple(ranks) for ranks in ordered[:3]], communicator, count - 1, history)
    involved = tuple(sorted(lane.rank for lane in lanes))
    return Finding("JS112", message, involved, tuple(sides), name, past=shown, when=snapshot.taken)


def _collectives(records: Sequence[Record], communicator: int) -> dict[int, Record]:
    return {one.ordinal: one for one in records if one.communicator == communicator and is_collective(one)}


def _difference(mine: Record, theirs: Record) -> str:
    first, second = mine.signature, theirs.signature
    if first.function != second.function:
        return "kind"
    if (first.non_blocking, first.persistent) != (second.non_blocking, second.persistent):
        return "blocking"
    if first.root != second.root:
        return "root"
    if first.reduction != second.reduction:
        return "reduction"
    if first.pickled and second.pickled:
        return "note" if first.note != second.note else ""
    if first.count_known and second.count_known and first.bytes != second.bytes:
        return "count"
    return ""
