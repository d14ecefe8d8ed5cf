"""Mismatched collectives that were not compared at the call: the rolling hashes of a communicator's ranks.

Ranks at rest are compared at equal counts. Others, which may be at any count, are compared by their checkpoints: the
hashes that they have kept of some earlier counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.judging import held
from jaxmpi_lint.runtime.judging.histories import History, is_collective, past
from jaxmpi_lint.runtime.judging.mismatches import mismatch
from jaxmpi_lint.runtime.judging.wait_for_graph import has_left
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Lane, RawFinding, Record, Signature, Snapshot

_BYTES = frozenset({"byte", "packed"})
_WITH_COUNTS = frozenset({"MPI_Allgatherv", "MPI_Reduce_scatter"})  # the same array of counts on every rank
_IN_PLACE = frozenset(
    f"MPI_{name}"
    for name in ("Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Alltoallw", "Reduce_scatter_block")
)  # on all ranks or on none, see `functions.table`


@dataclass(frozen=True, slots=True)
class Parting:
    """The first difference between the hashes of a communicator's ranks."""

    agreed: int  # so many collectives are equal
    differ: int  # among so many there is a different one
    groups: tuple[tuple[Lane, ...], ...]  # ranks with equal hashes at `differ`, the largest group first


def diverged(
    snapshot: Snapshot, history: History, resting: Iterable[int] | None = None, known: set[int] | None = None
) -> Iterator[Finding]:
    """A finding for each communicator whose ranks entered different collectives, except those in ``known``.

    What is found is added to ``known``. ``resting`` are ranks inside a call or at the end: of others the latest number
    and hash may be out of step.
    """
    if resting is None:
        resting = [rank.rank for rank in snapshot.ranks if has_left(rank)]
    still = frozenset(resting)
    known = set() if known is None else known
    known |= {communicator for communicator, _ in held.contested(snapshot) if communicator is not None}
    for communicator in snapshot.communicators:
        if communicator.unchecked or communicator.index in known:
            continue
        for lanes in sides(communicator):
            if _differs(lanes) and (parting := parted(lanes, still)) is not None:
                known.add(communicator.index)
                yield _finding(communicator, parting, snapshot, history)
                break


def is_suspect(snapshot: Snapshot, known: Collection[int]) -> bool:
    """Whether ranks differ at the counts of which they have kept the hashes."""
    return any(
        _differs(lanes) and parted(lanes, ()) is not None
        for communicator in snapshot.communicators
        if not communicator.unchecked and communicator.index not in known
        for lanes in sides(communicator)
    )


def sides(communicator: Communicator) -> Iterator[list[Lane]]:
    """The ranks that must have equal hashes: all of them, or each group of an intercommunicator."""
    lanes = [lane for lane in communicator.lanes if lane.state != "outside"]
    remote = set(communicator.remote) if communicator.kind == "inter" else set()
    yield [lane for lane in lanes if lane.rank not in remote]
    yield [lane for lane in lanes if lane.rank in remote]


def _differs(lanes: Sequence[Lane]) -> bool:
    """Whether not all ranks have entered the same collectives, as far as is known without looking closer."""
    return len({(lane.count, lane.rolling) for lane in lanes}) > 1


def parted(lanes: Sequence[Lane], still: Collection[int]) -> Parting | None:
    """Where the hashes of ranks first differ; None if they agree wherever they can be compared."""
    at: dict[int, dict[int, list[Lane]]] = defaultdict(lambda: defaultdict(list))
    for lane in lanes:
        for count, rolling in _hashes(lane, lane.rank in still).items():
            at[count][rolling].append(lane)
    differ = min((count for count, by_hash in at.items() if len(by_hash) > 1), default=None)
    if differ is None:
        return None
    groups = sorted(at[differ].values(), key=lambda group: (-len(group), group[0].rank))
    pair = {groups[0][0].rank, groups[1][0].rank}
    together = (
        count
        for count, by_hash in at.items()
        if count < differ and any(pair <= {lane.rank for lane in group} for group in by_hash.values())
    )
    return Parting(max(together, default=0), differ, tuple(map(tuple, groups)))


def _hashes(lane: Lane, still: bool) -> Mapping[int, int]:
    latest = {lane.count: lane.rolling} if still and lane.count else {}
    return {**dict(lane.checkpoints), **latest}


def _finding(communicator: Communicator, parting: Parting, snapshot: Snapshot, history: History) -> Finding:
    first, other = parting.groups[0][0], parting.groups[1][0]
    span = range(parting.agreed, parting.differ)
    found = first_difference(communicator, (first, other), snapshot, history, span)
    return found or _interval(communicator, parting, snapshot, history)


def first_difference(
    communicator: Communicator, pair: tuple[Lane, Lane], snapshot: Snapshot, history: History, span: range
) -> Finding | None:
    """The first collective of a span that differs between two ranks, if their histories still hold it."""
    first, other = (_collectives(history(lane.rank), communicator.index) for lane in pair)
    for ordinal in sorted(set(first) & set(other)):
        mine, theirs = first[ordinal], other[ordinal]
        difference = difference_of(mine.signature, theirs.signature) if ordinal in span else ""
        if difference:
            raw = RawFinding(
                "mismatch", difference, communicator.index, ordinal, pair[0].rank, pair[1].rank, mine.site,
                theirs.site, snapshot.taken, mine.signature, theirs.signature, 0, 0, "",
            )  # fmt: skip
            return mismatch([raw], snapshot, history)
    return None


def _interval(communicator: Communicator, parting: Parting, snapshot: Snapshot, history: History) -> Finding:
    """The history has been overwritten: between which collectives the difference is."""
    groups = [tuple(lane.rank for lane in group) for group in parting.groups]
    name = wording.communicator(communicator)
    where = f"between collective {parting.agreed + 1} and collective {parting.differ}"
    message = (
        f"{' and '.join(wording.ranks(ranks) for ranks in groups[:3])} have entered {parting.differ} collectives on "
        f"{name}, but different ones; the first difference, {where}, is no longer in the history"
    )
    shown = []
    for ranks in groups:
        records = _collectives(history(ranks[0]), communicator.index)
        last = records[max(records)] if records else None
        call = f"last: {wording.record(last)}" if last else ""
        shown.append(Side(ranks, call, last.site if last else None))
    before = past(groups[:3], communicator, parting.differ - 1, history)
    involved = tuple(sorted(rank for ranks in groups for rank in ranks))
    return Finding("JS112", message, involved, tuple(shown), name, past=before, when=snapshot.taken)


def _collectives(records: Sequence[Record], communicator: int) -> dict[int, Record]:
    return {one.ordinal: one for one in records if one.communicator == communicator and is_collective(one)}


def difference_of(first: Signature, second: Signature) -> str:
    """What differs between two ranks of one group, of what must agree; "" if nothing does. See `compare.cpp`."""
    if first.function != second.function or first.pickled != second.pickled:
        return "kind"
    if (first.non_blocking, first.persistent) != (second.non_blocking, second.persistent):
        return "blocking"
    if first.root != second.root:
        return "root"
    if first.reduction != second.reduction and None not in (first.reduction, second.reduction):
        return "reduction"
    if first.pickled:
        return "note" if first.note and second.note and first.note != second.note else ""
    if first.count_known and second.count_known and (found := _data_difference(first, second)):
        return found
    if first.in_place != second.in_place and first.function in _IN_PLACE:
        return "in_place"
    if first.note and second.note and first.note != second.note:
        return "part" if first.function in _WITH_COUNTS else "note"
    return ""


def _data_difference(first: Signature, second: Signature) -> str:
    alike = (first.type_hash, first.elements) == (second.type_hash, second.elements)
    typed = first.bytes and second.bytes and not {first.base, second.base} & _BYTES
    if first.bytes == second.bytes and (alike or not typed):
        return ""
    if typed and (first.base, first.width) != (second.base, second.width):
        return "type"
    return "count" if first.bytes != second.bytes else "type"
