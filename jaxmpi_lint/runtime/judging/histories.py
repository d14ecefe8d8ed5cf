"""The calls of ranks that are still recorded: the collectives before one, side by side, and where ranks diverged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from jaxmpi_lint.runtime.findings import callers, wording
from jaxmpi_lint.runtime.findings.finding import Divergence, Past, Row, Side
from jaxmpi_lint.runtime.ledger.native_site import NativeSite
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Record

History = Callable[[int], Sequence[Record]]
"""The calls of a world rank that are still recorded, the latest last."""

_BEFORE = 4  # collectives shown before the one that differs


def find_call(records: Sequence[Record], communicator: int | None, ordinal: int) -> Record | None:
    """The record of a collective; None if it is no longer in the history."""
    for entry in reversed(records):
        if (entry.communicator, entry.ordinal) == (communicator, ordinal) and is_collective(entry):
            return entry
    return None


def is_collective(entry: Record) -> bool:
    """Whether a record is that of a collective, not of a message."""
    return entry.peer is None and bool(entry.signature.function)


def past(
    groups: Sequence[tuple[int, ...]], communicator: Communicator | None, ordinal: int, history: History
) -> Past | None:
    """The last collectives of each group, side by side, up to the one in question."""
    if communicator is None or not groups:
        return None
    columns = [
        {
            entry.ordinal: entry
            for entry in history(group[0])
            if entry.communicator == communicator.index and is_collective(entry) and entry.ordinal <= ordinal
        }
        for group in groups
    ]
    known = sorted({one for column in columns for one in column})
    shown = known[-_BEFORE - 1 :]
    if len(shown) < 2:
        return None
    is_native = any(isinstance(entry.site, NativeSite) for column in columns for entry in column.values())
    searched = shown if is_native else known  # looking up the lines of compiled code takes time
    divergence = _divergence(groups, columns, [one for one in searched if one < ordinal])
    seen = (callers.parted(one + 1, _sides(groups, columns, one)) for one in shown if one < ordinal)
    note = "" if divergence is not None else next(filter(None, seen), "")
    return Past(tuple(groups), _rows(columns, shown, ordinal), note, divergence)


def _rows(columns: Sequence[Mapping[int, Record]], shown: Sequence[int], ordinal: int) -> tuple[Row, ...]:
    entries = [[column[one] for one in shown if one in column] for column in columns]
    where = iter(callers.trails([entry.site for column in entries for entry in column]))
    calls = [{entry.ordinal: _call(entry, next(where)) for entry in column} for column in entries]
    return tuple(Row(one + 1, tuple(column.get(one, "") for column in calls), one == ordinal) for one in shown)


def _divergence(
    groups: Sequence[tuple[int, ...]], columns: Sequence[Mapping[int, Record]], ordinals: Sequence[int]
) -> Divergence | None:
    """The first collective that the groups reached differently, one of them as all of them reached another one.

    Then the calls of one group are shifted against those of another. Ranks that take different paths because the
    program means it, a root and the others, have none of these paths in common.
    """
    by_ordinal = {one: _sides(groups, columns, one) for one in ordinals}
    together = {one: callers.are_together([side.site for side in sides]) for one, sides in by_ordinal.items()}
    in_common = {callers.lines_of(side.site) for one, sides in by_ordinal.items() if together[one] for side in sides}
    for one, sides in by_ordinal.items():
        if not together[one] and any(callers.lines_of(side.site) in in_common for side in sides):
            return Divergence(one + 1, tuple(sides))
    return None


def _sides(groups: Sequence[tuple[int, ...]], columns: Sequence[Mapping[int, Record]], ordinal: int) -> list[Side]:
    """The collective of the first rank of each group; none if one of them, or its line, is not known."""
    entries = [column[ordinal] for column in columns if ordinal in column]
    if len(entries) < len(groups) or any(entry.site is None for entry in entries):
        return []
    return [
        Side(ranks[:1], wording.collective(entry.signature, entry.label), entry.site)
        for ranks, entry in zip(groups, entries, strict=True)
    ]


def _call(entry: Record, where: str) -> str:
    return f"{where} {wording.collective(entry.signature, entry.label)}".lstrip()
