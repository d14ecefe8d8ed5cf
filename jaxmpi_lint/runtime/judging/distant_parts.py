"""Parts of collectives with counts that do not fit, between ranks of different hosts.

On one host the second of two ranks to enter the collective compares; see `parts.hpp`. Between hosts each rank keeps its
side, and a sum to which the two sides of a part add opposite terms; see `distant_parts.hpp`. If the sums of all ranks,
at rest after equal numbers of collectives, do not cancel out, the parts that the ranks still have are compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging import mismatches
from jaxmpi_lint.runtime.judging.histories import History, find_call
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, DistantPart, RawFinding, Signature, Snapshot

Parts = Callable[[int, int], Sequence[DistantPart]]
"""The last parts that a world rank exchanged with other hosts, at most so many."""

_CODE = "JS110"
_SECONDS = 5.0  # between two readings of parts, which hosts must send
_MOST = 100_000  # parts of all ranks together
_WORD = 1 << 64
_LONGER = "Run with a longer history (`history=65536`), to see the call."


class PartComparison:
    """Compares each state of a communicator once."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._compared: set[tuple[int, int]] = set()
        self._last = float("-inf")

    def look(
        self, snapshot: Snapshot, history: History, resting: Collection[int], known: set[int], final: bool = False
    ) -> Iterator[Finding]:
        """A finding for each communicator, except those in ``known``, to which the ones found are added.

        ``final``: at the end of the job, when nothing more will be compared.
        """
        if not snapshot.spans_hosts or (not final and snapshot.taken - self._last < _SECONDS):
            return
        suspects = [one for one in snapshot.communicators if one.index not in known and self._is_suspect(one, resting)]
        if not suspects:
            return
        self._last = snapshot.taken
        kept = self._kept(snapshot)
        for one in suspects:
            found = _misfit(kept[one.index], snapshot, history) or _overwritten(one, snapshot)
            if found is not None:
                known.add(one.index)
                yield found

    def causes(self, snapshot: Snapshot, history: History) -> list[Finding]:
        """What does not fit, while ranks wait or have ended, whatever collectives they have reached."""
        if not snapshot.spans_hosts or not any(map(_has_any, snapshot.communicators)):
            return []
        kept = self._kept(snapshot)
        found = (_misfit(kept[one.index], snapshot, history) for one in snapshot.communicators if not one.unchecked)
        return [one for one in found if one is not None]

    def _is_suspect(self, communicator: Communicator, resting: Collection[int]) -> bool:
        """Whether a part may not fit, and that is new."""
        state = _failed(communicator) or (not communicator.unchecked and _uncancelled(communicator, resting))
        key = communicator.index, -1 if communicator.failed is not None else communicator.lanes[0].count
        if not state or key in self._compared:
            return False
        self._compared.add(key)
        return True

    def _kept(self, snapshot: Snapshot) -> Mapping[int, Sequence[DistantPart]]:
        """The parts that ranks still have, by communicator."""
        ranks = {lane.rank for one in snapshot.communicators if _has_any(one) for lane in one.lanes}
        found: dict[int, list[DistantPart]] = defaultdict(list)
        for rank in sorted(ranks):
            for part in self._parts(rank, _MOST // len(ranks)):
                found[part.communicator].append(part)
        return found


def _has_any(communicator: Communicator) -> bool:
    return any(lane.sizes or lane.kinds for lane in communicator.lanes)


def _failed(communicator: Communicator) -> bool:
    """Whether MPI has refused a collective that all members have entered."""
    failed = communicator.failed
    entered = [lane for lane in communicator.lanes if failed is not None and lane.count > failed]
    return len(entered) == communicator.size and _has_any(communicator)


def _uncancelled(communicator: Communicator, resting: Collection[int]) -> bool:
    """Whether all members are at rest after equal numbers of collectives, and their sums do not cancel out."""
    lanes = communicator.lanes
    still = all(lane.state == "freed" or lane.rank in resting for lane in lanes)
    if not still or len(lanes) != communicator.size or len({lane.count for lane in lanes}) != 1:
        return False
    return bool(sum(lane.sizes for lane in lanes) % _WORD or sum(lane.kinds for lane in lanes) % _WORD)


def _misfit(parts: Iterable[DistantPart], snapshot: Snapshot, history: History) -> Finding | None:
    """The earliest part with different sizes or types on its two ranks."""
    sides: dict[tuple[int, int, int], DistantPart] = {}
    for one in sorted(parts, key=lambda part: part.ordinal):
        source, destination = (one.rank, one.peer) if one.sending else (one.peer, one.rank)
        before = sides.setdefault((one.ordinal, source, destination), one)
        if before.sending != one.sending and not _fits(before, one):
            sent, expected = (one, before) if one.sending else (before, one)
            return mismatches.parts(_raw(sent, expected, snapshot, history), snapshot, history)
    return None


def _fits(one: DistantPart, other: DistantPart) -> bool:
    """See `Part::agrees` in parts.hpp."""
    return one.bytes == other.bytes and (not one.bytes or one.type == other.type or 0 in (one.type, other.type))


def _raw(sent: DistantPart, expected: DistantPart, snapshot: Snapshot, history: History) -> RawFinding:
    """As the sending rank would report it if both were on one host."""
    calls = [find_call(history(one.rank), one.communicator, one.ordinal) for one in (sent, expected)]
    sites = [call.site if call else None for call in calls]
    mine, theirs = (
        _with_part(call.signature, part) if call else None
        for call, part in zip(calls, (sent, expected), strict=True)
    )  # fmt: skip
    return RawFinding(
        "counts", "part", sent.communicator, sent.ordinal, sent.rank, expected.rank, sites[0], sites[1],
        snapshot.taken, mine, theirs, sent.bytes, expected.bytes, "sends",
    )  # fmt: skip


def _with_part(signature: Signature, part: DistantPart) -> Signature:
    """The collective with one of its parts as the data."""
    elements = part.bytes // part.width if part.width else 0
    return replace(signature, base=part.base, width=part.width, bytes=part.bytes, elements=elements)


def _overwritten(communicator: Communicator, snapshot: Snapshot) -> Finding | None:
    """Some part does not fit, but which one is not known any more; None if only types may differ."""
    lanes = communicator.lanes
    if (
        communicator.unchecked
        or len({lane.count for lane in lanes}) != 1
        or not sum(one.sizes for one in lanes) % _WORD
    ):
        return None
    name = wording.communicator(communicator)
    message = (
        f"among {wording.plural(lanes[0].count, 'collective')} on {name} there is one with counts in which a rank "
        "sends a part of a different size than a rank on a different host expects; it is no longer in the history"
    )
    involved = tuple(lane.rank for lane in lanes)
    return Finding(_CODE, message, involved, communicator=name, remedy=_LONGER, when=snapshot.taken)
