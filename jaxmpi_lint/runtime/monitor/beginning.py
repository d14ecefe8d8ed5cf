"""How the monitor of an MPI job begins: on its own, or together with those of other hosts."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jaxmpi_lint.runtime.hosts import inquiries
from jaxmpi_lint.runtime.judging.deaths import Deaths
from jaxmpi_lint.runtime.monitor import loop
from jaxmpi_lint.runtime.monitor.monitor import Monitor
from jaxmpi_lint.runtime.reports.outlet import ReportSink
from jaxmpi_lint.runtime.settings.monitor_options import MonitorOptions

if TYPE_CHECKING:
    from jaxmpi_lint.runtime.hosts.root import Root
    from jaxmpi_lint.runtime.ledger.reader import Ledger
    from jaxmpi_lint.runtime.ledger.snapshot import Snapshot

_FAILED = """\
jaxmpi-sanitize: internal error in the sanitizer's monitor; please report it with the lines below. The program
continues; collectives are still compared, but deadlocks are no longer detected."""
_OBJECTS = 200_000  # new ones between two searches for cycles among them


def collect_seldom() -> None:
    """Snapshots of many ranks are many objects without cycles: searching them again and again takes longer than all."""
    gc.set_threshold(_OBJECTS)


class RootMonitor(Monitor):
    """Judges the ranks of all hosts."""

    root: Root
    folder: Path

    def look(self, last: bool = False) -> None:
        """Also answer what the command `jaxmpi-sanitize status` asks."""
        super().look(last)
        from jaxmpi_lint.runtime.reports import rank_table

        inquiries.answer(self.folder, lambda: rank_table.job(self.book.snapshot()))

    def leave(self) -> None:
        """End the monitors of the other hosts."""
        self.root.bye()


def main(arguments: Sequence[str]) -> int:
    """Watch the job whose ledger is named."""
    from jaxmpi_lint.runtime.ledger.reader import Ledger

    return loop.serve(arguments, Ledger, _begun, _removed, _FAILED)


def _removed(book: Ledger) -> None:
    from jaxmpi_lint.runtime.hosts import meeting

    meeting.remove_remains(Path(book.directory))
    book.unlink()


def _begun(book: Ledger, arguments: Sequence[str]) -> Monitor | None:
    begun = book.snapshot()
    processes = [(rank.rank, rank.process) for rank in begun.ranks]
    deaths = Deaths(processes, book.directory, int(arguments[0]) if arguments else 0, begun.job)
    wishes = MonitorOptions.parse(book.options)
    outlet = ReportSink(sys.stderr, os.environ.get("JAXMPI_SANITIZE_REPORT", ""), wishes)
    if len(begun.ranks) == begun.world_size:
        return Monitor(book, outlet, deaths)
    return _joined(book, begun, outlet, deaths)


def _joined(book: Ledger, begun: Snapshot, outlet: ReportSink, deaths: Deaths) -> Monitor | None:
    """The monitor of a job on several hosts; None if another host's monitor has judged the ranks of this one."""
    from jaxmpi_lint.runtime.hosts.joined import JoinedDeaths, JoinedLedger
    from jaxmpi_lint.runtime.hosts.joining import Joining
    from jaxmpi_lint.runtime.hosts.leaf import Leaf

    collect_seldom()
    joined = Joining(book, deaths, outlet.wishes, outlet.say, str(outlet.folder(begun))).join()
    if isinstance(joined, Leaf):
        joined.serve()
        joined.close()
        if joined.over:
            return None
        outlet.say(f"from now on only the ranks of {begun.host} are compared with each other: {joined.reason}")
    if not isinstance(joined, JoinedLedger):
        return Monitor(book, outlet, deaths)
    monitor = RootMonitor(joined, outlet, JoinedDeaths(deaths, joined))
    monitor.root, monitor.folder = joined.root, Path(book.directory)
    return monitor
