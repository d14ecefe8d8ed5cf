"""How the monitor of an MPI job begins: on its own, or together with those of other hosts."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.hosts import inquiries
from jaxmpi_lint.runtime.judging.deaths import Deaths
from jaxmpi_lint.runtime.monitor import loop
from jaxmpi_lint.runtime.monitor.monitor import Monitor
from jaxmpi_lint.runtime.reports.outlet import ReportSink
from jaxmpi_lint.runtime.settings.monitor_options import MonitorOptions

if TYPE_CHECKING:
    from jaxmpi_lint.runtime.hosts.joined import JoinedLedger
    from jaxmpi_lint.runtime.ledger.reader import Ledger
    from jaxmpi_lint.runtime.ledger.snapshot import Snapshot

_FAILED = """\
jaxmpi-sanitize: internal error in the sanitizer's monitor; please report it with the lines below. The program
continues; collectives are still compared, but deadlocks are no longer detected."""
NO_LONGER = "strict: ranks no longer wait for those of other hosts"
_OBJECTS = 200_000  # new ones between two searches for cycles among them


def collect_seldom() -> None:
    """Snapshots of many ranks are many objects without cycles: searching them again and again takes longer than all."""
    gc.set_threshold(_OBJECTS)


class RootMonitor(Monitor):
    """Judges the ranks of all hosts."""

    book: JoinedLedger

    def __init__(self, book: JoinedLedger, outlet: ReportSink, deaths: Deaths, folder: Path) -> None:
        """``folder``: of the job, in which questions are answered."""
        from jaxmpi_lint.runtime.judging.agreement import Agreement

        super().__init__(book, outlet, deaths)
        self._folder = folder
        self._agreement = Agreement(book) if self.wishes.strict else None

    def look(self, last: bool = False) -> None:
        """Also answer what the command `jaxmpi-sanitize status` asks."""
        super().look(last)
        from jaxmpi_lint.runtime.reports import rank_table

        inquiries.answer(self._folder, lambda: rank_table.job(self.book.snapshot()))

    def _disagreed(self, snapshot: Snapshot) -> bool:
        if self._agreement is None or self._agreement.over:
            return False
        entered = self._agreement.entered(snapshot)
        found = self._agreement.differing(entered, snapshot, self.history(), self._parted) if entered else []
        if self._tell(found, snapshot) and self.wishes.on_error != "continue":
            self._end()
            return True
        if entered:
            self.book.agree([(one.id, count) for one, count in entered])
        lost = self._agreement.lost(snapshot)
        if lost:
            self.outlet.say(f"{NO_LONGER}, since the host of {wording.ranks(sorted(lost))} does not respond")
        if lost is not None:
            self.book.unite(False)
        self._pending |= self._agreement.is_waiting
        return False

    def leave(self) -> None:
        """End the monitors of the other hosts."""
        self.book.root.bye()


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
    book.unite(joined is not None)
    if isinstance(joined, Leaf):
        joined.serve()
        joined.close()
        if joined.over:
            return None
        book.unite(False)
        outlet.say(f"from now on only the ranks of {begun.host} are compared with each other: {joined.reason}")
    if not isinstance(joined, JoinedLedger):
        return Monitor(book, outlet, deaths)
    return RootMonitor(joined, outlet, JoinedDeaths(deaths, joined), Path(book.directory))
