"""What the monitor needs of a ledger; `ledger.Ledger` is one, tests have their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from jaxmpi_lint.runtime.snapshot import Record, Snapshot


class LedgerCopy(Protocol):
    """What of a ledger is needed by those who report."""

    def copy(self, path: str) -> None:
        """Keep the ledger for later."""
        ...


class LedgerReader(LedgerCopy, Protocol):
    """A job's ledger on this host."""

    @property
    def options(self) -> str:
        """The canonical text of the options."""
        ...

    def snapshot(self) -> Snapshot:
        """One look at everything."""
        ...

    def history(self, rank: int, count: int) -> Sequence[Record]:
        """The last calls of a world rank, the newest last."""
        ...

    def wait(self, seconds: float) -> str:
        """Sleep until ``alarm``, ``left``, ``quiet`` or ``timeout``."""
        ...

    def ask_stacks(self, rank: int, seconds: float) -> str | None:
        """The Python stacks of a world rank; None if it does not answer."""
        ...

    def dealt_with(self, count: int) -> None:
        """So many raw findings are judged, and the ranks that made them may go on."""
        ...

    def suppress(self, index: int) -> None:
        """This raw finding counts for nothing."""
        ...

    def mark_vanished(self, rank: int, status: int | None) -> None:
        """A world rank ended without a word; how, if that is known: negative is a signal."""
        ...

    def release(self) -> None:
        """The end of the program is judged: ranks may leave MPI."""
        ...

    def end(self, exit_code: int) -> None:
        """Every rank ends with this code."""
        ...

    def local_alive(self) -> int:
        """How many ranks of this host are alive."""
        ...

    def unlink(self) -> None:
        """Remove it from shared memory."""
        ...


@dataclass(frozen=True, slots=True)
class MonitorOptions:
    """The options that concern the monitor."""

    on_error: str = "abort"
    exitcode: int = 66
    stall_seconds: float = 10.0
    stall_action: str = "notice"
    history: int = 4096
    suppressions: str = ""
    log_dir: str = ""
    max_reports: int = 20
    buffering: str = "warn"
    hold_ms: float = 100.0
    deadlock_ms: float = 200.0

    @classmethod
    def parse(cls, text: str) -> MonitorOptions:
        """Those of the canonical text, which has been checked before."""
        given = dict(part.split("=", 1) for part in text.split(":") if "=" in part)
        kinds = {"exitcode": int, "history": int, "max_reports": int}
        kinds |= {"stall_seconds": float, "hold_ms": float, "deadlock_ms": float}  # type: ignore[dict-item]
        known = {name: kinds.get(name, str)(value) for name, value in given.items() if name in cls.__slots__}
        return cls(**known)  # type: ignore[arg-type]
