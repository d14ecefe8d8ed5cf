"""The life of a monitor process: it claims its ledger, watches until the last process of its host has ended, reports.

A monitor takes no part in the program's communication: if it fails or is killed, the program continues without it.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from jaxmpi_lint.runtime.reports.outlet import ReportSink


class Claimable(Protocol):
    """A ledger that one monitor watches."""

    def claim(self) -> bool:
        """Whether no other monitor watches it."""


class Watch(Protocol):
    """A job that is watched."""

    outlet: ReportSink

    def wait(self) -> None:
        """Sleep until an event, or for a while."""

    def is_over(self) -> bool:
        """Whether nothing is left to be watched, because the monitor has ended the job."""

    def is_last(self) -> bool:
        """Whether the last process of this host has ended."""

    def look(self, last: bool) -> None:
        """Read the ledger, judge and report."""

    def leave(self) -> None:
        """Report what only the end of the job shows."""


Ledger = TypeVar("Ledger", bound=Claimable)


def run(watch: Watch) -> None:
    """Watch until the last process of this host has ended."""
    while not watch.is_over():
        watch.wait()
        last = watch.is_last()
        watch.look(last)
        if last:
            break
    watch.leave()
    watch.outlet.close()


def serve(
    arguments: Sequence[str],
    opened: Callable[[str], Ledger],
    watch: Callable[[Ledger, Sequence[str]], Watch | None],
    remove: Callable[[Ledger], None],
    failed: str,
) -> int:
    """Watch the job whose ledger is the first argument; the exit code. ``failed`` introduces an internal error.

    ``watch`` returns None if nothing is left to be watched.
    """
    try:
        ledger = opened(arguments[0])
    except RuntimeError:
        return 0  # the job ended before the monitor began
    if not ledger.claim():
        return 0
    try:
        begun = watch(ledger, arguments[1:])
        if begun is not None:
            run(begun)
    except Exception:
        sys.stderr.write(f"{failed}\n{traceback.format_exc()}")
        return 1
    finally:
        remove(ledger)
    return 0
