"""A job's ledger as the monitor reads it: the native reader behind plain data."""

from __future__ import annotations

from collections.abc import Sequence

from jaxmpi_lint.runtime import ledger
from jaxmpi_lint.runtime.snapshot import Record, Snapshot


class Watched:
    """The ledger at a path; see `book.Book` for what each method does."""

    def __init__(self, path: str) -> None:
        from jaxmpi_lint.runtime import _native

        self._ledger = _native.Ledger(path)
        self.options = self._ledger.options
        self.claim = self._ledger.claim
        self.wait = self._ledger.wait
        self.dealt_with = self._ledger.dealt_with
        self.suppress = self._ledger.suppress
        self.mark_vanished = self._ledger.mark_vanished
        self.release = self._ledger.release
        self.end = self._ledger.end
        self.local_alive = self._ledger.local_alive
        self.copy = self._ledger.copy
        self.unlink = self._ledger.unlink

    def snapshot(self) -> Snapshot:
        """One look at everything."""
        return ledger.snapshot(self._ledger)

    def history(self, rank: int, count: int) -> Sequence[Record]:
        """The last calls of a rank; none if it is not one of this host."""
        try:
            return ledger.history(self._ledger, rank, count)
        except (IndexError, ValueError):
            return ()

    def ask_stacks(self, rank: int, seconds: float) -> str | None:
        """The Python stacks of a rank."""
        return self._ledger.ask_stacks(rank, seconds)
