"""The state of the JAX jobs on this host: the launch count of each process, and the line of its last launch."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from jaxmpi_lint.runtime import _native
from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.report import Line
from jaxmpi_lint.runtime.ledger import excerpt, sequences
from jaxmpi_lint.runtime.ledger.sequences import Process, Record, Sequences

_PLACE = Path("/dev/shm")
_STATES = {
    "left": "has shut JAX down",
    "ended": "has ended",
    "dead": "has died",
    "blind": "is not checked",
}


class Live:
    """A running job."""

    def __init__(self, ledger: _native.LaunchLedger) -> None:
        self._ledger = ledger
        self._now: Sequences = sequences.read(ledger.snapshot(), time.monotonic(), {})

    @property
    def name(self) -> str:
        """The name of the job."""
        return self._now.job

    def lines(self) -> Iterator[Line]:
        """A line for each group of processes with the same last launch from the same line."""
        count, expected = len(self._now.processes), self._now.expected
        of = f" of {expected}" if count < expected else ""
        head = f"{wording.plural(count, 'rank')}{of} on {self._now.host}, {self._now.library}"
        yield ((f"job {self.name}", "bold"), (f"  {head}", "dim"))
        groups: dict[tuple[str, str], list[tuple[Process, Record | None]]] = defaultdict(list)
        for process in sorted(self._now.processes, key=lambda one: one.index):
            last = self._last(process)
            site = excerpt.place(last.site) if last is not None and last.site is not None else ""
            groups[_doing(process, last), "" if process.state in _STATES else site].append((process, last))
        for (doing, where), ones in groups.items():
            yield from _group(doing, where, ones, self._now.taken)

    @property
    def processes(self) -> tuple[Process, ...]:
        """The processes of this host."""
        return self._now.processes

    def history(self, process: Process, count: int) -> tuple[Record, ...]:
        """The last launches of a process, the newest last."""
        return tuple(map(sequences.record, self._ledger.history(process.lane, count)))

    def _last(self, process: Process) -> Record | None:
        return next(iter(self.history(process, 1)), None)


def jobs() -> Iterator[Live]:
    """The running jobs of this user, sorted by folder."""
    for folder in sorted(_PLACE.glob(f"jaxmpi-sanitize.{os.geteuid()}.jax-*")):
        try:
            ledger = _native.LaunchLedger(str(folder / "ledger"))
        except (OSError, RuntimeError):
            continue  # it has just ended, or has a different version
        if ledger.count_alive():
            yield Live(ledger)


def _doing(process: Process, last: Record | None) -> str:
    if process.state in _STATES:
        return _STATES[process.state]
    if last is None:
        return "no launch yet"
    held = "held by the sanitizer in" if last.held else "the last one"
    return f"{wording.plural(process.launches, 'launch')}, {held} {name(last)}"


def name(record: Record) -> str:
    """``jit(step)``."""
    return record.program.name if record.program is not None else "an executable"


def _group(doing: str, where: str, ones: list[tuple[Process, Record | None]], now: float) -> Iterator[Line]:
    head = [("  ", ""), (wording.ranks(process.index for process, _ in ones), "bold"), (f"  {doing}", "")]
    begun = [record.when for _, record in ones if record is not None]
    if where and begun:
        head.append((f", {max(now - min(begun), 0.0):.1f} s ago", "dim"))
    yield tuple(head)
    if where:
        yield (("  --> ", "dim"), (where, "bold"))
