"""Messages between hosts that do not fit their receives: by the histories of both ranks.

On one host the receiving rank compares, with what the sending rank has left in the ledger; see `contents.cpp`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging import mismatches
from jaxmpi_lint.runtime.ledger.snapshot import RawFinding, Record, Signature, Snapshot

_SENDS = frozenset({"MPI_Send", "MPI_Ssend", "MPI_Bsend"})
_RECEIVE = "MPI_Recv"
_MEANINGFUL = frozenset({"signed", "unsigned", "float", "complex", "pair"})

_Channel = tuple[int | None, int, int, int | None]
"""Communicator, source, destination, tag."""


def differing(snapshot: Snapshot, histories: Mapping[int, Sequence[Record]]) -> list[Finding]:
    """A finding for each pair of lines."""
    if not snapshot.spans_hosts:
        return []
    hosts = {rank.rank: rank.host for rank in snapshot.ranks}
    sent = _sent(histories, hosts)
    raw = [
        one
        for records in histories.values()
        for record in records
        if record.signature.function == _RECEIVE and record.peer is not None and record.ordinal
        for message in [sent[record.communicator, record.peer, record.rank, record.tag].get(record.ordinal)]
        if message is not None
        for one in _compared(record, message)
    ]
    return mismatches.merged([mismatches.single(one, snapshot) for one in raw])


def _sent(
    histories: Mapping[int, Sequence[Record]], hosts: Mapping[int, str]
) -> Mapping[_Channel, Mapping[int, Record]]:
    """The messages to other hosts by their numbers; those of two threads may have overtaken each other."""
    found: dict[_Channel, dict[int, Record]] = defaultdict(dict)
    threads: dict[_Channel, set[int]] = defaultdict(set)
    for records in histories.values():
        for record in records:
            away = record.peer is not None and hosts.get(record.peer) != hosts.get(record.rank)
            if away and record.peer is not None and record.signature.function in _SENDS:
                channel = (record.communicator, record.rank, record.peer, record.tag)
                found[channel][record.ordinal] = record
                threads[channel].add(record.thread)
    return defaultdict(dict, {channel: ones for channel, ones in found.items() if len(threads[channel]) == 1})


def _compared(received: Record, sent: Record) -> Iterator[RawFinding]:
    difference = _difference(received, sent)
    if difference:
        yield RawFinding(
            "message", difference, received.communicator, received.ordinal, received.rank, sent.rank, received.site,
            sent.site, received.entered, received.signature, sent.signature, received.signature.bytes,
            sent.signature.bytes, "",
        )  # fmt: skip


def _difference(received: Record, sent: Record) -> str:
    """``count`` if MPI has truncated the message, ``type`` if its elements are read as something else."""
    mine, theirs = received.signature, sent.signature
    if not (_known(mine) and _known(theirs)) or (theirs.bytes > mine.bytes) != (received.result != 0):
        return ""
    if received.result:
        return "count"
    other = (mine.base, mine.width) != (theirs.base, theirs.width)
    return "type" if other and _has_meaning(mine) and _has_meaning(theirs) else ""


def _known(signature: Signature) -> bool:
    return signature.base != "nothing" and bool(signature.width)


def _has_meaning(signature: Signature) -> bool:
    """Whether its type says what the bits mean, and there are some."""
    return signature.base in _MEANINGFUL and signature.width > 1 and bool(signature.bytes)
