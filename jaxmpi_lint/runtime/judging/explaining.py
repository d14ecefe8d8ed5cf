"""What is added to an error before it is reported: exceptions that ranks handle, and what their stacks tell."""

from __future__ import annotations

from dataclasses import replace

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging import handling, stacks, tracing
from jaxmpi_lint.runtime.ledger.interface import LedgerReader
from jaxmpi_lint.runtime.ledger.snapshot import Snapshot

_SHOWN = 8  # ranks whose stacks a report shows at most


def explained(finding: Finding, snapshot: Snapshot, book: LedgerReader, seconds: float) -> Finding:
    """The finding, if it is an error with notes; each rank that is asked for its stack has so many seconds."""
    if finding.severity != "error":
        return finding
    finding = handling.explained(finding)
    inside = {
        rank.rank
        for rank in snapshot.ranks
        if rank.python and any(thread.activity in ("blocked", "held") for thread in rank.threads)
    }
    asked = [rank for rank in finding.ranks if rank in inside][:_SHOWN]
    if not asked:
        return finding
    told = {rank: stacks.parse(book.ask_stacks(rank, seconds) or "") for rank in asked}
    return replace(finding, notes=(*finding.notes, *tracing.notes(finding, told)))
