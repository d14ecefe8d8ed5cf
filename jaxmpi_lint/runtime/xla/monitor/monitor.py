"""The monitor of a JAX job: one process for each host, ``python -m jaxmpi_lint.runtime.xla.monitor LEDGER``.

It polls the state of the processes, at intervals and when a process wakes it, judges it, reports, and ends with the
last process. The monitor of process 0's host judges all hosts.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging import ending
from jaxmpi_lint.runtime.judging.deaths import Deaths
from jaxmpi_lint.runtime.ledger import sequences
from jaxmpi_lint.runtime.ledger.sequences import Found, Kept, Process, Program, Record, Sequences, is_remote
from jaxmpi_lint.runtime.monitor import loop
from jaxmpi_lint.runtime.reports.outlet import ReportSink
from jaxmpi_lint.runtime.settings.monitor_options import MonitorOptions
from jaxmpi_lint.runtime.settings.options import read_canonical
from jaxmpi_lint.runtime.xla.hosts.first_line import introduction
from jaxmpi_lint.runtime.xla.hosts.hosts import Hosts
from jaxmpi_lint.runtime.xla.hosts.sent_findings import GO_ON, RAISE, Receiver
from jaxmpi_lint.runtime.xla.monitor import remains, verdicts
from jaxmpi_lint.runtime.xla.monitor.orphans import Orphans
from jaxmpi_lint.runtime.xla.monitor.verdicts import Case
from jaxmpi_lint.runtime.xla.monitor.waiting import Waiting

_TICK = 0.25  # seconds between polls
_STACKS = 0.5
_ENDING = 3.0  # seconds that processes have to end before process 0, whose end aborts the others
_LAST_WORDS = 20.0
_HISTORY = 1024
_STEP = 0.005
_STILL = 0.05
_FAILED = """\
jaxmpi-sanitize: internal error in the monitor of JAX launches. The program continues without checks. Please report this
with the lines below."""


class NoCopy:
    """Stands in for the copy of the ledger, which is not kept for launches: the report is complete."""

    def copy(self, path: str) -> None:
        """Do nothing."""


class Monitor:
    """The monitor of one job on this host."""

    def __init__(self, ledger: Any, outlet: ReportSink, wishes: MonitorOptions) -> None:
        self.ledger = ledger
        self.outlet = outlet
        self.wishes = wishes
        self.folder = os.path.dirname(ledger.path)
        self.receiver = Receiver(self.folder)
        known = read_canonical(ledger.options)
        self.attach_seconds, self.strict = float(known["attach_seconds"]), bool(known["strict"])
        self.began = time.monotonic()
        self.introduced = False
        self.dealt = 0
        self.statuses: dict[int, int | None] = {}
        self.deaths: Deaths | None = None
        self.hosts = Hosts(self.folder, ledger)
        self.waiting = Waiting(self)
        self.orphans = Orphans(self)
        self.stopped: dict[tuple[int, int], Finding] = {}  # by key of the device set and number of the launch
        self.over = False

    def wait(self) -> None:
        """Sleep until a process wakes the monitor, or until the next poll."""
        self.ledger.wait(_TICK)

    def is_over(self) -> bool:
        """Whether the monitor has ended all processes."""
        return self.over

    def is_last(self) -> bool:
        """Whether the last process of this host has ended."""
        return bool(self.ledger.count_alive() == 0)

    def look(self, last: bool) -> None:
        """One poll: differences that processes detected, launches that cannot finish, stalls, the last process."""
        self.poll(last)
        if last:
            self.tell_of_deaths()

    def leave(self) -> None:
        """Report what other hosts did not send."""
        for line in self.hosts.missed(self.read()):
            self.outlet.say(line)

    def poll(self, last: bool) -> None:
        """Differences that processes detected, launches that cannot finish, stalls."""
        own = self.read_own()
        self.orphans.answer(own)
        ordered = self.hosts.refresh(own, self.receiver, self.ending(own))
        self.dealt = max(self.dealt, self.hosts.dealt)
        for line in self.hosts.news(own):
            self.outlet.say(line)
        now = self.hosts.together(own)
        self.introduce(now, last)
        if ordered is not None or self.hosts.ended_by_another():
            self.end(ordered)
        elif self.hosts.judged_here(own, last):
            self.judge(now)

    def judge(self, now: Sequences) -> None:
        """Report all findings that are known now."""
        self.read_letters(now)
        if not self.over and (self.hosts.differences or len(now.findings) > self.dealt):
            self.deal(now)
        if not self.over:
            case = self.case(self.read())
            self.waiting.look(case)
            self.orphans.look(case)
        if not self.over:
            self.hosts.settle(now)

    def read(self) -> Sequences:
        """The processes of all connected hosts."""
        return self.hosts.together(self.read_own())

    def read_own(self) -> Sequences:
        """The state of this host's processes, after dead ones have been marked."""
        fields = self.ledger.snapshot()
        if self.deaths is None or len(fields["processes"]) > len(self.statuses):
            self.watch_deaths(fields)
        gone = [one for one in fields["processes"] if not one["alive"] and one["state"] in ("running", "left")]
        for one in gone:
            self.ledger.mark(one["lane"], "ended" if one["state"] == "left" or one["raised"] else "dead")
        if gone and self.deaths is not None:
            self.statuses |= self.deaths.statuses({one["lane"] for one in gone}, 0.1)
            fields = self.ledger.snapshot()
        return sequences.read(fields, time.monotonic(), self.statuses)

    def watch_deaths(self, fields: dict[str, Any]) -> None:
        """Observe how processes end."""
        self.statuses |= {one["lane"]: self.statuses.get(one["lane"]) for one in fields["processes"]}
        self.deaths = Deaths([(one["lane"], one["process"]) for one in fields["processes"]])

    def ending(self, own: Sequences) -> frozenset[int]:
        """Processes of this host that are being ended from outside the job."""
        if self.deaths is None:
            return frozenset()
        told = self.deaths.ending()
        alive = {one.lane for one in own.processes if one.alive}
        return frozenset(lane for lane in self.statuses if self.deaths.asked_lately({lane}) or lane in told & alive)

    def introduce(self, now: Sequences, last: bool) -> None:
        """Print how many processes are checked, if not all are on this host."""
        here = sum(not is_remote(one) for one in now.processes)
        if self.introduced or here == now.expected:
            self.introduced = True
            return
        all_heard = len(now.processes) == now.expected
        if all_heard or last or time.monotonic() - self.began > self.attach_seconds:
            self.introduced = True
            if not self.hosts.judged_elsewhere:
                self.outlet.say(introduction(len(now.processes), now.expected, self.strict, self.hosts.count))

    def case(self, now: Sequences) -> Case:
        """The state with the histories of the processes, each read once."""

        @cache
        def history(process: Process) -> Sequence[Record]:
            if is_remote(process):
                return self.hosts.history(process)
            return tuple(sequences.record(fields) for fields in self.ledger.history(process.lane, _HISTORY))

        def details(process: Process, program: Program) -> Kept:
            if is_remote(process):
                return self.hosts.details(process, program)
            return sequences.kept(self.folder, process.process, program.place)

        return Case(now, history, details)

    def read_letters(self, now: Sequences) -> None:
        """Report findings that processes sent."""
        for letter in [*self.receiver.letters(), *self.hosts.letters()]:
            error = self.tell([letter.finding], now)
            if error and self.wishes.on_error == "abort":
                self.end()
                return
            letter.answer(RAISE if error and self.wishes.on_error == "raise" else GO_ON)

    # --- differences that processes detected ----------------------------------------------------------------------

    def deal(self, now: Sequences) -> None:
        """Judge launches that differ, after the other processes had time to reach them."""
        until = time.monotonic() + max(self.wishes.hold_ms / 1000, self.hosts.patience)
        while self.incomplete(now) and time.monotonic() < until:
            time.sleep(_STEP)
            now = self.read()
        found = [finding for one in self.new(now) if (finding := self.verdict(one, now)) is not None]
        before, self.dealt = self.dealt, len(now.findings)
        error = self.tell(found, now)
        if error and self.wishes.on_error == "abort":
            self.end()
            return
        self.hosts.deal(not error)
        for index in range(before, self.dealt) if not error else ():
            self.ledger.suppress(index)
        self.ledger.tell(self.dealt)

    def verdict(self, one: Found, now: Sequences) -> Finding | None:
        """The finding about a launch; for collectives that differ, the same finding each time."""
        key = now.keys[one.set]
        if (key, one.sequence) in self.stopped:
            return self.stopped[key, one.sequence]
        self.hosts.ask_about(key, one.sequence)
        later = self.read()
        finding = verdicts.differing(replace(one, set=later.keys.index(key)), self.case(later))
        if one.kind == "collectives" and finding is not None:
            self.stopped[key, one.sequence] = finding
        return finding

    def new(self, now: Sequences) -> list[Found]:
        """The differences that are not yet judged, each launch once, errors first."""
        every = [*now.findings[self.dealt :], *self.hosts.found(now.keys)]
        launches = {(one.kind, one.set, one.sequence): one for one in every}
        return sorted(launches.values(), key=lambda one: (one.kind, one.sequence))

    def incomplete(self, now: Sequences) -> bool:
        """Whether a process has yet to reach a launch that differs."""
        return any(
            process.count(one.set) <= one.sequence and not process.gone
            for one in self.new(now)
            if (now.keys[one.set], one.sequence) not in self.stopped
            for process in now.processes
        )

    def stacks(self, processes: Sequence[Process]) -> dict[int, str]:
        """The Python stacks of processes, by their lanes."""
        here = [one for one in processes if one.alive and not is_remote(one)]
        found = self.hosts.stacks([one for one in processes if is_remote(one)])
        return found | {one.lane: self.ledger.stacks(one.lane, _STACKS) or "" for one in here}

    # --- the end --------------------------------------------------------------------------------------------------

    def tell(self, found: Sequence[Finding], now: Sequences) -> bool:
        """Report findings; whether one of them was an error."""
        return self.outlet.tell(found, now.as_snapshot(), NoCopy(), self.wishes.on_error != "continue")

    def tell_of_deaths(self) -> None:
        """Report how processes died that no process was found to wait for.

        Processes that ended by `os._exit(0)` are exempt: programs use it to skip JAX's shutdown.
        """
        now = self.read_own()
        dead = {one.lane: one.index for one in now.processes if one.state == "dead" and one.exit_status != 0}
        if not dead or self.deaths is None or self.outlet.errors or self.over:
            return
        verdict = self.deaths.verdict(dead)
        first = frozenset(dead[lane] for lane in verdict.first if lane in dead)
        orphaned = self.orphans.remains(self.case(self.read()), verdict)
        if orphaned is None:
            self.outlet.say(ending.how_it_ended(now.as_snapshot(), replace(verdict, first=first)))
        else:
            self.tell([orphaned], now)
        for line in self.hosts.cut_off(now):
            self.outlet.say(line)
            place = remains.keep(self.outlet.folder(now.as_snapshot()), self.case(now))
            if place is not None:
                self.outlet.say(f"the last launches of this host's processes: {place}")

    def end(self, exitcode: int | None = None) -> None:
        """End all processes with one exit code; process 0 last, because its end aborts the others."""
        self.over = True
        code = self.wishes.exitcode if exitcode is None else exitcode
        self.hosts.end(code, self.read_own())
        self.ledger.begin_end(code)
        lanes = {one["lane"]: one["index"] for one in self.ledger.snapshot()["processes"]}
        for lane in lanes:  # else the others print errors about the first one that ends
            self.ledger.still(lane)
        time.sleep(_STILL)
        for first in (False, True):
            chosen = [lane for lane, index in lanes.items() if (index == 0) == first]
            for lane in chosen:
                self.ledger.end(lane)
            until = time.monotonic() + (_LAST_WORDS if first else _ENDING)
            while any(self.ledger.alive(lane) for lane in chosen) and time.monotonic() < until:
                time.sleep(_STEP)


def main(arguments: Sequence[str]) -> int:
    """Watch the job of the given ledger."""
    from jaxmpi_lint.runtime import _native

    return loop.serve(arguments, _native.LaunchLedger, _begun, _native.LaunchLedger.remove, _FAILED)


def _begun(ledger: Any, _: Sequence[str]) -> Monitor:
    wishes = MonitorOptions.parse(ledger.options)
    return Monitor(ledger, ReportSink(sys.stderr, os.environ.get("JAXMPI_SANITIZE_REPORT", ""), wishes), wishes)
