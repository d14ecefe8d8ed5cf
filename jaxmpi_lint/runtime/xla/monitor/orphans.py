"""The end of process 0, and with it of JAX's coordinator: JAX then aborts all other processes immediately.

A process of the same host that aborts asks the monitor first (launch_aborting.cpp), so that the job ends as after any
other error. A process of another host aborts before the monitor there can find the reason.
"""

from __future__ import annotations

import signal
import time

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging.deaths import Verdict
from jaxmpi_lint.runtime.ledger.sequences import Process, Sequences, is_remote
from jaxmpi_lint.runtime.xla.monitor import verdicts
from jaxmpi_lint.runtime.xla.monitor.interface import Watch
from jaxmpi_lint.runtime.xla.monitor.verdicts import Case

_SURE = 0.6  # seconds within which processes that wait for process 0 in a launch are reported


class Orphans:
    """The processes that abort because process 0 has ended."""

    def __init__(self, monitor: Watch) -> None:
        self._monitor = monitor
        self._since: dict[int, float] = {}  # by lane, the time at which its abort was found
        self._told = False

    def answer(self, own: Sequences) -> None:
        """Let processes continue to abort, unless they do so because process 0 has ended."""
        aborting = [one for one in own.processes if one.aborts and one.alive]
        if not aborting:
            return
        coordinator, now = _coordinator(own), time.monotonic()
        is_gone = coordinator is not None and not coordinator.alive
        if not is_gone and coordinator is not None and self._is_ending(coordinator):
            return  # it will have ended at the next poll
        waits = is_gone and not self._told and self._monitor.wishes.on_error != "continue"
        for one in aborting:
            self._since.setdefault(one.lane, now)
            self._monitor.ledger.answer_abort(one.lane, ends=waits)

    def look(self, case: Case) -> None:
        """Report the end of process 0 if it aborts processes that do not wait for it in a launch."""
        monitor, coordinator = self._monitor, _coordinator(case.sequences)
        if monitor.over or self._told or coordinator is None or coordinator.alive or is_remote(coordinator):
            return
        now = time.monotonic()
        orphans = [one for one in case.sequences.processes if one.aborts and one.alive]
        sure = [one for one in orphans if now - self._since.get(one.lane, now) > _SURE]
        if not sure or self._ended_from_outside(coordinator, orphans):
            return
        self._told = True
        finding = verdicts.orphaned(coordinator, [*orphans, *_elsewhere(case)], case, monitor.stacks(orphans))
        if monitor.tell([finding], case.sequences):
            monitor.end()

    def _is_ending(self, one: Process) -> bool:
        """Whether a process is ending; its connections close before it detaches from the ledger."""
        return self._monitor.deaths is not None and one.lane in self._monitor.deaths.ending()

    def _ended_from_outside(self, coordinator: Process, orphans: list[Process]) -> bool:
        deaths = self._monitor.deaths
        if deaths is None:
            return False
        return deaths.asked_lately({coordinator.lane}) or bool(deaths.ending() & {one.lane for one in orphans})

    def remains(self, case: Case, verdict: Verdict) -> Finding | None:
        """The finding, once all processes are dead, if JAX aborted processes because process 0 had ended."""
        coordinator = _coordinator(case.sequences)
        if coordinator is None or is_remote(coordinator) or verdict.outside or self._monitor.deaths is None:
            return None
        noticed = {one.rank: one.noticed for one in self._monitor.deaths.seen()}
        gone = noticed.get(coordinator.lane, float("inf"))
        orphans = [
            one
            for one in case.sequences.processes
            if one.exit_status == -signal.SIGABRT and noticed.get(one.lane, 0.0) > gone
        ]
        others = [*orphans, *_elsewhere(case)]
        if coordinator.state != "dead" or not others:
            return None
        return verdicts.orphaned(coordinator, others, case, {})


def _elsewhere(case: Case) -> list[Process]:
    """Processes of other hosts that had not exited according to the last data from them."""
    return [one for one in case.sequences.processes if is_remote(one) and not one.gone]


def _coordinator(now: Sequences) -> Process | None:
    return next((one for one in now.processes if one.index == 0), None)
