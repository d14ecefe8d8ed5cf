"""What the parts of a monitor use of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging.deaths import Deaths
from jaxmpi_lint.runtime.ledger.sequences import Process, Sequences
from jaxmpi_lint.runtime.reports.outlet import ReportSink
from jaxmpi_lint.runtime.settings.monitor_options import MonitorOptions
from jaxmpi_lint.runtime.xla.hosts.hosts import Hosts


class Watch(Protocol):
    """The monitor of one job on this host."""

    ledger: Any
    outlet: ReportSink
    wishes: MonitorOptions
    deaths: Deaths | None
    hosts: Hosts
    over: bool

    def stacks(self, processes: Sequence[Process]) -> dict[int, str]:
        """The Python stacks of processes, by their lanes."""

    def tell(self, found: Sequence[Finding], now: Sequences) -> bool:
        """Report findings; whether one of them was an error."""

    def end(self, exitcode: int | None = None) -> None:
        """End all processes with one exit code."""
