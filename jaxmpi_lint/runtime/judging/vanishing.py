"""Marks the ranks that ended silently in their ledger, with their exit status as far as the kernel reports it."""

from __future__ import annotations

from jaxmpi_lint.runtime.judging.deaths import Deaths
from jaxmpi_lint.runtime.judging.exits import vanished
from jaxmpi_lint.runtime.ledger.interface import LedgerReader
from jaxmpi_lint.runtime.ledger.snapshot import Snapshot

_DYING = 0.1  # seconds from the moment that a process releases its files to its end


class Vanishing:
    """The ranks of a ledger that have ended silently so far."""

    def __init__(self, book: LedgerReader, deaths: Deaths | None) -> None:
        self._book, self._deaths = book, deaths
        self.ranks: set[int] = set()

    def mark(self, snapshot: Snapshot) -> bool:
        """Mark new ones; whether there were any, so that the ledger must be read again."""
        new = {rank.rank for rank in snapshot.ranks if vanished(rank)} - self.ranks
        if not new:
            return False
        self.ranks |= new
        statuses = self._deaths.statuses(new, _DYING) if self._deaths is not None else {}
        for rank in new:
            self._book.mark_vanished(rank, statuses.get(rank))
        return True
