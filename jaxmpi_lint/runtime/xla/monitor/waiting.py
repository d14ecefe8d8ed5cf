"""Detection of launches that wait for an exited process, and of stalls."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from jaxmpi_lint.runtime.judging.exits import interrupted
from jaxmpi_lint.runtime.ledger import sequences
from jaxmpi_lint.runtime.ledger.sequences import is_remote
from jaxmpi_lint.runtime.xla.monitor import stalls, verdicts
from jaxmpi_lint.runtime.xla.monitor.interface import Watch
from jaxmpi_lint.runtime.xla.monitor.verdicts import Awaited, Case

_SURE = 0.4  # seconds for which a launch must lack its partner before it is reported
_INTERRUPTED = 130  # as shells do

Key = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Seen:
    """The time since which a launch has lacked its partner."""

    when: float
    bulletins: tuple[int, ...]  # the last ones of the hosts of both processes


class Waiting:
    """The search for launches that cannot finish."""

    def __init__(self, monitor: Watch) -> None:
        self._monitor = monitor
        self._since: dict[Key, Seen] = {}
        self._progress: tuple[float, tuple[int, ...]] = (time.monotonic(), ())
        self._noticed: set[tuple[int, ...]] = set()

    def look(self, case: Case) -> None:
        """Report launches that cannot finish because a process has exited, and stalls."""
        self._look_for_abandoned(case)
        if not self._monitor.over and self._monitor.wishes.stall_seconds:
            self._look_for_stall(case)

    def _look_for_abandoned(self, case: Case) -> None:
        found = verdicts.awaited(case)
        now = time.monotonic()
        keys = {self._key(one, case): one for one in found}
        self._since = {key: self._since.get(key, Seen(now, self._bulletins(one))) for key, one in keys.items()}
        sure = [one for key, one in keys.items() if self._is_sure(one, self._since[key], now)]
        if not sure or self._ended_from_outside(sure):
            return
        ranks = [sequences.as_rank(one.left) for one in sure]
        if all(map(interrupted, ranks)):
            self._monitor.outlet.say("a rank was interrupted while others wait in launches; the job ends")
            self._monitor.end(_INTERRUPTED)
            return
        finding = verdicts.abandoned(sure, case, self._monitor.stacks([one.waiting for one in sure]))
        if self._monitor.tell([finding], case.sequences) and self._monitor.wishes.on_error != "continue":
            self._monitor.end()

    def _key(self, one: Awaited, case: Case) -> Key:
        return one.waiting.lane, one.left.lane, case.sequences.keys[one.launch.set], one.launch.sequence

    def _bulletins(self, one: Awaited) -> tuple[int, ...]:
        hosts = self._monitor.hosts
        return tuple(hosts.bulletin(process) for process in (one.waiting, one.left) if is_remote(process))

    def _is_sure(self, one: Awaited, seen: Seen, now: float) -> bool:
        """Whether this has lasted for a while, and newer bulletins of all hosts concerned confirm it."""
        again = all(new > old for new, old in zip(self._bulletins(one), seen.bulletins, strict=True))
        return now - seen.when >= _SURE and again and one.waiting.alive

    def _ended_from_outside(self, found: Sequence[Awaited]) -> bool:
        """Whether the waiting processes may be ended from outside together with the dead ones."""
        hosts, deaths = self._monitor.hosts, self._monitor.deaths
        left = [one.left for one in found if one.left.state == "dead"]
        if any(hosts.excused(process) for process in (*left, *(one.waiting for one in found))) and left:
            return True
        dead = {process.lane for process in left if not is_remote(process)}
        if not dead or deaths is None:
            return False
        waiting = {one.waiting.lane for one in found}
        return bool(deaths.ending() & waiting) or deaths.asked_lately(dead)

    def _look_for_stall(self, case: Case) -> None:
        """Report a stall: no launches for a while, and launch counts that differ."""
        monitor, now = self._monitor, time.monotonic()
        counts = tuple(process.launches for process in case.sequences.processes)
        if counts != self._progress[1]:
            self._progress = (now, counts)
        quiet = now - self._progress[0]
        if quiet < monitor.wishes.stall_seconds or counts in self._noticed:
            return
        self._noticed.add(counts)
        asked = monitor.stacks(case.sequences.processes)
        finding = stalls.stalled(case, quiet, asked) or stalls.unfinished(case, quiet, asked)
        if finding is not None:
            monitor.tell([finding], case.sequences)
            if monitor.wishes.stall_action == "exit":
                monitor.outlet.say("stall_action=exit: the job ends")
                monitor.end()
