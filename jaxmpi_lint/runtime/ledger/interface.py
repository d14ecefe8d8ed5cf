"""The interface of a ledger that the monitor uses; implemented by `ledger.Ledger` and by tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from jaxmpi_lint.runtime.ledger.snapshot import Communicator, DistantPart, Record, Snapshot


class LedgerCopy(Protocol):
    """The part of a ledger that reports need."""

    def copy(self, path: str) -> None:
        """Store a copy of the ledger at this path."""
        ...


class LedgerReader(LedgerCopy, Protocol):
    """A job's ledger on this host."""

    @property
    def options(self) -> str:
        """The canonical text of the options."""
        ...

    def snapshot(self) -> Snapshot:
        """The current contents."""
        ...

    def history(self, rank: int, count: int) -> Sequence[Record]:
        """The last calls of a world rank, the latest last."""
        ...

    def distant_parts(self, rank: int, count: int) -> Sequence[DistantPart]:
        """The last parts of collectives with counts that a world rank exchanged with other hosts."""
        ...

    def formers(self, rank: int, count: int) -> Sequence[Communicator]:
        """The last communicators with members on other hosts that a world rank has freed, each with its lane."""
        ...

    def span_hashes(self, identity: int, begin: int, end: int) -> Sequence[tuple[int, int]]:
        """Of each member of a communicator: its world rank and a hash of its collectives ``begin`` to ``end - 1``.

        0 if its history does not hold all of them.
        """
        ...

    def wait(self, seconds: float) -> str:
        """Sleep until ``alarm``, ``left``, ``quiet`` or ``timeout``."""
        ...

    def ask_stacks(self, rank: int, seconds: float) -> str | None:
        """The Python stacks of a world rank; None if it does not respond."""
        ...

    def dealt_with(self, count: int) -> None:
        """Mark the first ``count`` raw findings as judged: the ranks that made them continue."""
        ...

    def suppress(self, index: int) -> None:
        """Discard this raw finding."""
        ...

    def mark_vanished(self, rank: int, status: int | None) -> None:
        """Record that a world rank ended silently; its status, if known: negative for a signal."""
        ...

    def release(self) -> None:
        """Let the ranks return from MPI_Finalize: the end of the program has been judged."""
        ...

    def unite(self, together: bool) -> None:
        """With `strict`: whether ranks wait for those of other hosts before each collective."""
        ...

    def agree(self, counts: Sequence[tuple[int, int]]) -> None:
        """With `strict`: of communicators, by their identities, so many collectives are equal on all hosts."""
        ...

    def end(self, exit_code: int, everywhere: bool = False) -> None:
        """End every rank with this code; whether those of other hosts are ended by their own monitors."""
        ...

    def local_alive(self) -> int:
        """How many ranks of this host are alive."""
        ...

    def ranks_alive(self) -> int:
        """How many ranks are alive on all hosts that respond."""
        ...

    def unlink(self) -> None:
        """Remove it from shared memory."""
        ...
