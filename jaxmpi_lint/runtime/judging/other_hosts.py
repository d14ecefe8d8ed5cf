"""Why ranks have ended for which ranks of other hosts still wait."""

from __future__ import annotations

from dataclasses import replace

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging import ending, message_contents
from jaxmpi_lint.runtime.judging.between_hosts import BetweenHosts
from jaxmpi_lint.runtime.judging.deaths import Deaths
from jaxmpi_lint.runtime.judging.exits import vanished
from jaxmpi_lint.runtime.judging.histories import History
from jaxmpi_lint.runtime.ledger.snapshot import Snapshot


def causes(snapshot: Snapshot, history: History, deaths: Deaths | None, between: BetweenHosts) -> list[Finding]:
    """Findings about a part of a collective or a message that did not fit, or about the rank that died first.

    A launcher may have ended some ranks because of that one, while those of other hosts still wait.
    """
    if not snapshot.spans_hosts:
        return []
    if found := between.misfits(snapshot, history):
        return found
    if any(rank.raised for rank in snapshot.ranks):
        found = message_contents.differing(snapshot, ending.histories_of(snapshot, history))
        if found:
            return found
    gone = frozenset(rank.rank for rank in snapshot.ranks if vanished(rank))
    if deaths is None or len(gone) < 2:
        return []
    return [replace(one, error=None) for one in ending.killed(snapshot, deaths.verdict(gone), history)]
