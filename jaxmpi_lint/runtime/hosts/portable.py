"""Snapshots and histories on their way between hosts: tables of which equal parts are stored once.

Times are rounded to milliseconds. KeyError, IndexError, TypeError or ValueError if what has arrived is damaged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import islice
from operator import attrgetter
from typing import Any, TypeVar

from jaxmpi_lint.runtime.hosts import columns
from jaxmpi_lint.runtime.ledger import reader
from jaxmpi_lint.runtime.ledger.native_site import NativeSite
from jaxmpi_lint.runtime.ledger.snapshot import (
    Channel,
    Communicator,
    DistantPart,
    Lane,
    Rank,
    RawFinding,
    Record,
    Signature,
    Site,
    Snapshot,
    Thread,
    Wait,
)

Packed = Mapping[str, Any]
"""What JSON can hold."""

Table = Sequence[Any]
"""The number of rows, and a column for each field, unless there are no rows."""

Made = TypeVar("Made")
_SITES = frozenset({"site", "other_site"})
_SIGNATURES = frozenset({"signature", "mine", "theirs"})
_TIMES = frozenset({"entered", "left", "cpu_seconds", "when"})
_LISTS = frozenset({"threads", "waits", "lanes"})
_NUMBERS = frozenset({"communicator", "index"})
_LISTED = frozenset({"ranks", "communicators", "channels", "findings"})
TABLES = _LISTED | _LISTS
_HEAD = tuple(one.name for one in fields(Snapshot) if one.name not in _LISTED)
_TICKS = 1000  # of a second


class _Packing:
    """The sites and signatures of one message, each stored once."""

    def __init__(self) -> None:
        self.sites: dict[Site, int] = {}
        self.signatures: dict[Signature, int] = {}

    def table(self, kind: type, rows: Sequence[Any], **given: list[Any]) -> Table:
        """Rows of one class by fields, some of them ``given``; of lists, which are not part of it, only the lengths."""
        if not rows:
            return [0]
        return [len(rows), *(columns.packed(given.get(name) or self._column(name, rows)) for name in _names(kind))]

    def _column(self, name: str, rows: Sequence[Any]) -> list[Any]:
        values = map(attrgetter(name), rows)
        if name in _SITES:
            return [None if one is None else self.sites.setdefault(one, len(self.sites)) for one in values]
        if name in _SIGNATURES:
            return [None if one is None else self.signatures.setdefault(one, len(self.signatures)) for one in values]
        if name in _TIMES:
            return [None if one is None else round(one * _TICKS) for one in values]
        return list(map(len, values)) if name in _LISTS else list(values)

    def finished(self, tables: Packed) -> Packed:
        """The message with its sites and signatures."""
        return {
            **tables,
            "sites": [_site(one) for one in self.sites],
            "signatures": [_values(one) for one in self.signatures],
        }


@dataclass(frozen=True, slots=True)
class Translation:
    """From the clock and the numbers of communicators of one host to those of another."""

    later: float = 0.0  # seconds
    number: Callable[[int | None], int | None] = lambda own: own


class _Unpacking:
    """Makes objects of the tables of one message."""

    def __init__(self, message: Packed, translation: Translation) -> None:
        self._message, self._translation = message, translation
        self._sites = [reader.site(one) for one in message["sites"]]
        self._signatures = [Signature(*one) for one in message["signatures"]]

    def rows(self, name: str, kind: Callable[..., Made], **lists: Sequence[Any]) -> list[Made]:
        """The rows of a table, with their lists, which come one after the other in ``lists``."""
        length, *packed = self._message[name]
        if not length:
            return []
        found = [
            self._values(field, columns.unpacked(column, length), lists)
            for field, column in zip(_names(kind), packed, strict=True)
        ]
        return [kind(*row) for row in zip(*found, strict=True)]

    def _values(self, name: str, values: list[Any], lists: Mapping[str, Sequence[Any]]) -> Sequence[Any]:
        if name in _SITES:
            return [None if one is None else self._sites[one] for one in values]
        if name in _SIGNATURES:
            return [None if one is None else self._signatures[one] for one in values]
        if name in _TIMES:
            later = self._translation.later if name != "cpu_seconds" else 0.0
            return [None if one is None else one / _TICKS + later for one in values]
        if name in _NUMBERS:
            return list(map(self._translation.number, values))
        if name in ("checkpoints", "remote"):
            return [tuple(tuple(one) if isinstance(one, list) else one for one in value) for value in values]
        if name not in _LISTS:
            return values
        rest = iter(lists[name])
        return [tuple(islice(rest, length)) for length in values]


def packed_snapshot(snapshot: Snapshot) -> Packed:
    """A snapshot as JSON."""
    packing = _Packing()
    threads = [thread for rank in snapshot.ranks for thread in rank.threads]
    tables = {
        "head": [getattr(snapshot, name) for name in _HEAD],
        "ranks": packing.table(Rank, snapshot.ranks, host=[rank.host or snapshot.host for rank in snapshot.ranks]),
        "threads": packing.table(Thread, threads),
        "waits": packing.table(Wait, [wait for thread in threads for wait in thread.waits]),
        "communicators": packing.table(Communicator, snapshot.communicators),
        "lanes": packing.table(Lane, [lane for one in snapshot.communicators for lane in one.lanes]),
        "channels": packing.table(Channel, snapshot.channels),
        "findings": packing.table(RawFinding, snapshot.findings),
    }
    return packing.finished(tables)


def unpacked_snapshot(message: Packed, translation: Translation | None = None) -> Snapshot:
    """The snapshot, on the clock and with the numbers of the host that reads it."""
    translation = translation or Translation()
    unpacking = _Unpacking(message, translation)
    threads = unpacking.rows("threads", Thread, waits=unpacking.rows("waits", Wait))
    communicators = unpacking.rows("communicators", Communicator, lanes=unpacking.rows("lanes", Lane))
    head = dict(zip(_HEAD, message["head"], strict=True))
    return Snapshot(
        ranks=tuple(unpacking.rows("ranks", Rank, threads=threads)),
        communicators=tuple(communicators),
        channels=tuple(unpacking.rows("channels", Channel)),
        findings=tuple(unpacking.rows("findings", RawFinding)),
        **{**head, "taken": head["taken"] + translation.later},
    )


def taken(message: Packed) -> float:
    """When a packed snapshot was taken, on the clock of its host."""
    return float(message["head"][_HEAD.index("taken")])


def identities(message: Packed) -> Iterator[tuple[int, int]]:
    """The number and the identity of each communicator that a packed snapshot is about."""
    for name, kind, number, identity in (
        ("communicators", Communicator, "index", "id"),
        ("channels", Channel, "communicator", "identity"),
    ):
        length, *packed = message[name]
        if length:
            both = (columns.unpacked(packed[_names(kind).index(one)], length) for one in (number, identity))
            yield from zip(*both, strict=True)


def packed_records(records: Sequence[Record]) -> Packed:
    """Records of a history as JSON."""
    packing = _Packing()
    return packing.finished({"records": packing.table(Record, records)})


def unpacked_records(message: Packed, translation: Translation | None = None) -> list[Record]:
    """The records, likewise."""
    return _Unpacking(message, translation or Translation()).rows("records", Record)


def packed_parts(parts: Sequence[DistantPart]) -> Packed:
    """Parts of collectives with counts as JSON."""
    packing = _Packing()
    return packing.finished({"parts": packing.table(DistantPart, parts)})


def unpacked_parts(message: Packed, translation: Translation | None = None) -> list[DistantPart]:
    """The parts, likewise."""
    return _Unpacking(message, translation or Translation()).rows("parts", DistantPart)


def packed_communicators(communicators: Sequence[Communicator]) -> Packed:
    """Communicators as JSON."""
    packing = _Packing()
    lanes = [lane for one in communicators for lane in one.lanes]
    return packing.finished(
        {
            "communicators": packing.table(Communicator, communicators),
            "lanes": packing.table(Lane, lanes),
            "channels": [0],
        }
    )


def unpacked_communicators(message: Packed, translation: Translation | None = None) -> list[Communicator]:
    """The communicators, likewise."""
    unpacking = _Unpacking(message, translation or Translation())
    return unpacking.rows("communicators", Communicator, lanes=unpacking.rows("lanes", Lane))


@cache
def _names(kind: Any) -> Sequence[str]:
    return [one.name for one in fields(kind)]


def _values(one: Any) -> list[Any]:
    kind: Any = type(one)
    return [getattr(one, name) for name in _names(kind)]


def _site(one: Site | None) -> Packed | None:
    """A site as the native reader returns it."""
    if one is None:
        return None
    if isinstance(one, NativeSite):
        file, line, function, address = one.module, 0, one.build, one.address
        outer, callers = one.outer, one.own_callers
    else:
        file, line, function, address = one.file, one.line, one.function, 0
        outer, callers = one.caller, one.callers
    passed = replace(one.handled.site, operand=one.handled.exception) if one.handled is not None else None
    return {
        "file": file, "line": line, "function": function, "address": address, "operand": one.operand,
        "caller": _site(outer), "callers": [_site(caller) for caller in callers],
        "handled": _site(passed),
    }  # fmt: skip
