"""The monitor of a JAX job: one process for each host, ``python -m jaxmpi_lint.runtime.xla.monitor LEDGER``.

It sleeps until a process rings or a moment has passed, looks who is where, judges, reports, and ends with the last
process. It has no part in the program's communication.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from jaxmpi_lint.runtime import ending, wording
from jaxmpi_lint.runtime.book import Wishes
from jaxmpi_lint.runtime.deaths import Deaths
from jaxmpi_lint.runtime.finding import Finding
from jaxmpi_lint.runtime.leaving import interrupted
from jaxmpi_lint.runtime.options import read_canonical
from jaxmpi_lint.runtime.outlet import Outlet
from jaxmpi_lint.runtime.xla import joining, sequences, verdicts
from jaxmpi_lint.runtime.xla.letters import GO_ON, RAISE, Receiver
from jaxmpi_lint.runtime.xla.sequences import Process, Record, Sequences
from jaxmpi_lint.runtime.xla.verdicts import Awaited, Case

_TICK = 0.25  # seconds between looks
_SURE = 0.4  # seconds that a launch without its partner must be seen before it counts
_STACKS = 0.5
_ENDING = 3.0  # seconds that processes have to end themselves before the coordinator, whose end aborts them
_LAST_WORDS = 20.0
_HISTORY = 1024
_INTERRUPTED = 130  # as shells do
_STEP = 0.005
_STILL = 0.05
_FAILED = """\
jaxmpi-sanitize: the monitor of the launches has failed, which is a mistake in jaxmpi-lint. The program goes on
unchecked. Please report this with the lines below."""


class NoCopy:
    """Launches leave no ledger to be kept: the report says it all."""

    def copy(self, path: str) -> None:
        """Nothing."""


class Monitor:
    """Watches one job."""

    def __init__(self, ledger: Any, outlet: Outlet, wishes: Wishes, attach_seconds: float) -> None:
        self.ledger = ledger
        self.outlet = outlet
        self.wishes = wishes
        self.folder = os.path.dirname(ledger.path)
        self.receiver = Receiver(self.folder)
        self.attach_seconds = attach_seconds
        self.began = time.monotonic()
        self.introduced = False
        self.dealt = 0
        self.statuses: dict[int, int | None] = {}
        self.since: dict[tuple[int, int, int, int], float] = {}  # launches that nobody will join
        self.progress: tuple[float, tuple[int, ...]] = (self.began, ())
        self.notices: set[tuple[object, ...]] = set()
        self.deaths: Deaths | None = None
        self.over = False

    def run(self) -> None:
        """Look until the last process of this host has ended."""
        while not self.over:
            self.ledger.wait(_TICK)
            alone = self.ledger.count_alive() == 0
            self.look(alone)
            if alone:
                self.tell_of_deaths()
                break
        self.say_what_was_missed()
        self.outlet.close()

    def say_what_was_missed(self) -> None:
        """Launches that were seen and not compared."""
        fields = self.ledger.snapshot()
        if fields["overtaken"]:
            late = wording.plural(fields["overtaken"], "launch")
            self.outlet.say(f"not compared: {late} that came when others were more than a thousand launches ahead")
        if fields["unrecorded"]:
            more = wording.plural(fields["unrecorded"], "launch")
            self.outlet.say(f"not compared: {more}, because there are too many different sets of devices")

    def look(self, last: bool) -> None:
        """One look: what processes noticed, who waits in vain, who is slow."""
        now = self.read()
        self.introduce(now, last)
        case = self.case(now)
        self.read_letters(now)
        if not self.over and len(now.findings) > self.dealt:
            self.deal(now)
        if not self.over:
            self.look_for_abandoned(case)
        if not self.over and self.wishes.stall_seconds:
            self.look_for_stall(case)

    def read(self) -> Sequences:
        """What the ledger says, after the dead have been noted."""
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
        """Learn how processes end."""
        self.statuses |= {one["lane"]: self.statuses.get(one["lane"]) for one in fields["processes"]}
        self.deaths = Deaths([(one["lane"], one["process"]) for one in fields["processes"]])

    def introduce(self, now: Sequences, last: bool) -> None:
        """Say how many are checked, if not all have come."""
        if self.introduced or len(now.processes) == now.expected:
            self.introduced = True
        elif last or time.monotonic() - self.began > self.attach_seconds:
            self.introduced = True
            self.outlet.say(joining.introduction(len(now.processes), now.expected))

    def case(self, now: Sequences) -> Case:
        """With the histories of the processes, each read once."""

        @cache
        def history(process: Process) -> Sequence[Record]:
            return tuple(sequences.record(fields) for fields in self.ledger.history(process.lane, _HISTORY))

        return Case(now, history, lambda process, known: sequences.kept(self.folder, process.process, known.place))

    def read_letters(self, now: Sequences) -> None:
        """Report what processes found by themselves."""
        for letter in self.receiver.letters():
            error = self.tell([letter.finding], now)
            if error and self.wishes.on_error == "abort":
                self.end()
                return
            letter.answer(RAISE if error and self.wishes.on_error == "raise" else GO_ON)

    # --- what processes noticed -----------------------------------------------------------------------------------

    def deal(self, now: Sequences) -> None:
        """Judge launches that differ, after the others had the time to come to them."""
        until = time.monotonic() + self.wishes.hold_ms / 1000
        while self.incomplete(now) and time.monotonic() < until:
            time.sleep(_STEP)
            now = self.read()
        new, case = now.findings[self.dealt :], self.case(now)
        found = [finding for one in new if (finding := verdicts.differing(one, case)) is not None]
        before, self.dealt = self.dealt, len(now.findings)
        if self.tell(found, now):
            if self.wishes.on_error == "abort":
                self.end()
                return
        else:
            for index in range(before, self.dealt):
                self.ledger.suppress(index)
        self.ledger.tell(self.dealt)

    def incomplete(self, now: Sequences) -> bool:
        """Whether somebody is still to come to a launch that differs."""
        return any(
            process.count(one.set) <= one.sequence and not process.gone
            for one in now.findings[self.dealt :]
            for process in now.processes
        )

    # --- who waits in vain ----------------------------------------------------------------------------------------

    def look_for_abandoned(self, case: Case) -> None:
        """Launches that cannot finish because a process has left."""
        found = verdicts.awaited(case)
        now = time.monotonic()
        keys = {(one.waiting.lane, one.left.lane, one.launch.set, one.launch.sequence): one for one in found}
        self.since = {key: self.since.get(key, now) for key in keys}
        sure = [one for key, one in keys.items() if now - self.since[key] >= _SURE and one.waiting.alive]
        if not sure or self.ended_from_outside(sure):
            return
        ranks = [sequences.as_rank(one.left) for one in sure]
        if all(map(interrupted, ranks)):
            self.outlet.say("a process was interrupted while others launch; the job ends")
            self.end(_INTERRUPTED)
            return
        finding = verdicts.abandoned(sure, case, self.stacks([one.waiting for one in sure]))
        if self.tell([finding], case.sequences) and self.wishes.on_error != "continue":
            self.end()

    def ended_from_outside(self, found: Sequence[Awaited]) -> bool:
        """Whether those who wait for dead processes may be about to die with them."""
        dead = {one.left.lane for one in found if one.left.state == "dead"}
        if not dead or self.deaths is None:
            return False
        waiting = {one.waiting.lane for one in found}
        return bool(self.deaths.ending() & waiting) or self.deaths.asked_lately(dead)

    def tell_of_deaths(self) -> None:
        """Processes died without a word, and nobody was seen to wait for them: how.

        Not those that ended by `os._exit(0)`, which spares a program JAX's shutdown.
        """
        now = self.read()
        dead = {one.lane: one.index for one in now.processes if one.state == "dead" and one.exit_status != 0}
        if not dead or self.deaths is None or self.outlet.errors:
            return
        verdict = self.deaths.verdict(dead)
        first = frozenset(dead[lane] for lane in verdict.first if lane in dead)
        self.outlet.say(ending.how_it_ended(now.as_snapshot(), replace(verdict, first=first)))

    def look_for_stall(self, case: Case) -> None:
        """Nothing moves, and some have launched more than others."""
        now = time.monotonic()
        counts = tuple(process.launches for process in case.sequences.processes)
        if counts != self.progress[1]:
            self.progress = (now, counts)
        quiet = now - self.progress[0]
        if quiet < self.wishes.stall_seconds or ("stall", counts) in self.notices:
            return
        self.notices.add(("stall", counts))
        finding = verdicts.stalled(case, quiet, self.stacks(case.sequences.processes))
        if finding is not None:
            self.tell([finding], case.sequences)
            if self.wishes.stall_action == "exit":
                self.outlet.say("stall_action=exit: the job ends")
                self.end()

    def stacks(self, processes: Sequence[Process]) -> dict[int, str]:
        """The Python stacks of processes, by their lanes."""
        return {one.lane: self.ledger.stacks(one.lane, _STACKS) or "" for one in processes if one.alive}

    # --- the end --------------------------------------------------------------------------------------------------

    def tell(self, found: Sequence[Finding], now: Sequences) -> bool:
        """Report; whether an error was among what was told."""
        return self.outlet.tell(found, now.as_snapshot(), NoCopy(), self.wishes.on_error != "continue")

    def end(self, exitcode: int | None = None) -> None:
        """Every process ends with one exit code; the coordinator last, because its end aborts the others."""
        self.over = True
        self.ledger.begin_end(self.wishes.exitcode if exitcode is None else exitcode)
        lanes = {one["lane"]: one["index"] for one in self.ledger.snapshot()["processes"]}
        for lane in lanes:  # or the first to end would make the others complain of it
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
    """Watch the job whose ledger is named."""
    from jaxmpi_lint.runtime import _native

    try:
        ledger = _native.LaunchLedger(arguments[0])
    except RuntimeError:
        return 0  # the job ended before the monitor began
    if not ledger.claim():
        return 0
    try:
        wishes = Wishes.parse(ledger.options)
        attach = float(read_canonical(ledger.options)["attach_seconds"])
        outlet = Outlet(sys.stderr, os.environ.get("JAXMPI_SANITIZE_REPORT", ""), wishes)
        Monitor(ledger, outlet, wishes, attach).run()
    except Exception:
        sys.stderr.write(f"{_FAILED}\n{traceback.format_exc()}")
        return 1
    finally:
        ledger.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
