"""The monitor of an MPI job: one process for each host and job, ``python -m jaxmpi_lint.runtime.monitor LEDGER``.

It sleeps until a rank raises the alarm or ends, or no rank makes progress; then it reads the ledger, judges and
reports. It ends with the last rank.
"""

from __future__ import annotations

import signal
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging import detected, mismatches
from jaxmpi_lint.runtime.judging.between_hosts import BetweenHosts
from jaxmpi_lint.runtime.judging.deaths import Deaths
from jaxmpi_lint.runtime.judging.evidence import Evidence
from jaxmpi_lint.runtime.judging.exits import interrupted, vanished
from jaxmpi_lint.runtime.judging.histories import History
from jaxmpi_lint.runtime.judging.stalls import Stalls, stacks_now
from jaxmpi_lint.runtime.judging.vanishing import Vanishing
from jaxmpi_lint.runtime.judging.wait_for_graph import Knot, Stuck, analyse, has_left, may_be_connecting
from jaxmpi_lint.runtime.ledger.interface import LedgerReader
from jaxmpi_lint.runtime.ledger.snapshot import RawFinding, Record, Snapshot
from jaxmpi_lint.runtime.reports.outlet import ReportSink
from jaxmpi_lint.runtime.settings.monitor_options import MonitorOptions

_LEFTOVERS = 0.5  # seconds in which the other ranks may report what they did not complete
_ENDED_ITSELF = frozenset({"finalizing", "finalized", "exited", "aborted"})
_LEFT_AT_END = frozenset({"leak", "unfinished", "unreceived"})
_SETTLED = 0.01  # seconds for which a thread must be seen inside its call before a certain wait counts
_LONGEST_SLEEP = 1.0  # the ledger wakes the monitor earlier at an event, or if no rank makes progress
_FIRST_STEP, _LONGEST_STEP = 0.03, 0.25  # between snapshots of ranks that may be stuck
_STEP = 0.005
_FOR_REPORTS = (
    "jaxmpi_lint.runtime.judging.deadlocks",
    "jaxmpi_lint.runtime.judging.explaining",
    "networkx",
    "rich.console",
)
_INTERRUPTED = 128 + signal.SIGINT  # as shells do
_RECORDS = 512  # of each rank's history, for a finding
_STACK_SECONDS = 0.5
_LAST_WORDS = 20.0  # seconds that ranks may take to end themselves


class Monitor:
    """Watches one job."""

    def __init__(
        self,
        book: LedgerReader,
        outlet: ReportSink,
        deaths: Deaths | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.book = book
        self.wishes = MonitorOptions.parse(book.options)
        self.outlet = outlet
        self.clock = clock
        self.evidence = Evidence()
        self.stalls = Stalls(self.wishes.stall_seconds)
        self.dealt = 0
        self.judged_end = False
        self._told_interrupt = self._told_abort = False
        self._prepared = False
        self.ended_at: float | None = None
        self.deaths = deaths
        self._vanishing = Vanishing(book, deaths)
        self._parted: set[int] = set()  # communicators whose ranks are known to have entered different collectives
        self._between = BetweenHosts(book.distant_parts, book.formers)
        self.doubts: dict[int, str] = {}  # why an apparent deadlock may not be one
        self._pending = False  # a rank may be stuck: another snapshot is needed
        self._sleep = _FIRST_STEP

    # --- the steps of the loop ----------------------------------------------------------------------------------

    def wait(self) -> None:
        """Sleep until an event, or until ranks that may be stuck must be looked at again."""
        self.book.wait(self._sleep)

    def is_over(self) -> bool:
        """Whether the ranks that the monitor ended have had time to end."""
        return self.ended_at is not None and self.clock() - self.ended_at > _LAST_WORDS

    def is_last(self) -> bool:
        """Whether the last rank has ended, of this host and of those that it leads."""
        return self.book.ranks_alive() == 0

    def look(self, last: bool = False) -> None:
        """One step: differences that ranks detected, deadlocks, stalls, the end of the job."""
        if self.ended_at is not None:
            return
        snapshot = self._snapshot()
        self.evidence.add(snapshot)
        self._pending = False
        if len(snapshot.findings) > self.dealt:
            self._deal(snapshot)
            return
        if self._all_left(snapshot):
            self._judge_end(snapshot)
            if all(rank.state in ("absent", "finalized", "exited") for rank in snapshot.ranks):
                self.outlet.summarise(snapshot)
            return
        if self._aborted(snapshot):
            return
        if not self._diverged(snapshot) and not self._disagreed(snapshot) and not self._deadlock(snapshot):
            self._stall(snapshot)
        self._sleep = min(self._sleep * 1.3, _LONGEST_STEP) if self._pending else _LONGEST_SLEEP

    def leave(self) -> None:
        """Nothing is left: each step reports what it finds."""

    def _snapshot(self) -> Snapshot:
        snapshot = self.book.snapshot()
        while self._vanishing.mark(snapshot):
            snapshot = self.book.snapshot()
        return snapshot

    def history(self, count: int = _RECORDS) -> History:
        """The histories of ranks, each read once."""

        @cache
        def read(rank: int) -> Sequence[Record]:
            return tuple(self.book.history(rank, count))

        return read

    # --- differences that ranks detected ------------------------------------------------------------------------

    def _deal(self, snapshot: Snapshot) -> None:
        """Judge the differences that ranks detected, once the other ranks have had time to reach the call."""
        until = time.monotonic() + max(_LEFTOVERS, self.wishes.hold_ms / 1000)
        while self._incomplete(snapshot) and time.monotonic() < until:
            time.sleep(_STEP)
            snapshot = self._snapshot()
        new = snapshot.findings[self.dealt :]
        history = self.history()
        collective = [one for one in new if one.kind in mismatches.OF_A_COLLECTIVE]
        found = [mismatches.mismatch(group, snapshot, history) for group in mismatches.by_collective(collective)]
        found += detected.findings(new, snapshot, history)
        before, self.dealt = self.dealt, len(snapshot.findings)
        if self._tell(found, snapshot):
            if self.wishes.on_error == "abort":
                self._end()
                return
        else:
            for index in range(before, self.dealt):
                self.book.suppress(index)
            if self.judged_end:
                self._fail_on_warnings()
        self.book.dealt_with(self.dealt)

    def _incomplete(self, snapshot: Snapshot) -> bool:
        """Whether ranks may still add to what is reported in time."""
        new = snapshot.findings[self.dealt :]
        patience = self.wishes.hold_ms / 1000
        return (
            any(
                snapshot.taken - one.when < patience and _expected(one, snapshot)
                for one in new
                if one.kind in mismatches.OF_A_COLLECTIVE
            )
            or any(
                snapshot.taken - one.when < _LEFTOVERS and _ending(snapshot) for one in new if one.kind in _LEFT_AT_END
            )
            or detected.may_be_refused(new, snapshot, patience)
            or detected.may_follow(new, snapshot, patience)
        )

    # --- deadlock and stall -------------------------------------------------------------------------------------

    def _diverged(self, snapshot: Snapshot) -> bool:
        """Whether ranks at rest have entered different collectives that were not compared."""
        resting = self.evidence.resting(snapshot, _SETTLED) if snapshot.consistent else frozenset()
        if len(resting) < 2 and not snapshot.spans_hosts:
            return False
        from jaxmpi_lint.runtime.judging import failed, hash_divergence

        resting |= {rank.rank for rank in snapshot.ranks if snapshot.consistent and rank.state in _ENDED_ITSELF}
        history = self.history(self.wishes.history)
        if len(resting) < 2 and self._is_fleeting(snapshot):
            return False
        found = list(hash_divergence.diverged(snapshot, history, resting, self._parted))
        found += self._between.differing(snapshot, history, resting, self._parted)
        found += failed.differing(snapshot, history, self._parted)
        if self._tell(found, snapshot) and self.wishes.on_error != "continue":
            self._end()
        return self.ended_at is not None

    def _disagreed(self, snapshot: Snapshot) -> bool:
        """Whether ranks of several hosts that wait for each other with `strict` have entered different collectives."""
        return False

    def _is_fleeting(self, snapshot: Snapshot) -> bool:
        """Whether ranks that move differ now, but not in a second look: a refused call takes its number back."""
        from jaxmpi_lint.runtime.judging import hash_divergence

        known = set(self._parted)
        return hash_divergence.is_suspect(snapshot, known) and not hash_divergence.is_suspect(self._snapshot(), known)

    def _deadlock(self, snapshot: Snapshot) -> bool:
        knot = self._knot(snapshot)
        if knot is None:
            if not self._pending:
                self.doubts = {}
            return False
        if self._ended_from_outside(knot, snapshot.spans_hosts):
            return False
        doubtful = self._doubtful(knot, snapshot)
        again = self._snapshot()
        proven = analyse(again, doubtful, possible=not knot.certain)
        if proven is None or not set(map(_identity, proven.stuck)) <= set(map(_identity, knot.stuck)):
            return False
        left = [rank for rank in again.ranks if rank.rank in proven.left]
        if left and all(map(interrupted, left)):
            self._interrupted(proven.left, again)
            return True
        from jaxmpi_lint.runtime.judging import deadlocks, other_hosts

        causes = other_hosts.causes(again, self.history(), self.deaths, self._between)
        found = causes or deadlocks.judge(proven, again, self.history())
        if self._tell(found, again) and self.wishes.on_error != "continue":
            self._end()
        return True

    def _knot(self, snapshot: Snapshot) -> Knot | None:
        """Stuck threads that are proven to wait in their calls."""
        present = [rank for rank in snapshot.ranks if not has_left(rank)]
        if not snapshot.consistent or any(thread.activity == "held" for rank in present for thread in rank.threads):
            return None
        certain = analyse(snapshot)
        knot, seconds = certain, _SETTLED
        if certain is None:
            knot, seconds = analyse(snapshot, possible=True), self.wishes.deadlock_ms / 1000
        if knot is None:
            return None
        early = certain is None and may_be_connecting(knot, snapshot)
        if early or not self.evidence.settled(knot.stuck, seconds):
            self._begin_pending()
            return None
        return knot

    def _ended_from_outside(self, knot: Knot, spans_hosts: bool) -> bool:
        """Whether the ranks that wait for dead ranks may be about to die with them."""
        if self.deaths is None or not self._vanishing.ranks & set(knot.left):
            return False
        dying = self.deaths.ending() & set(knot.ranks)
        if dying or self.deaths.asked_lately(knot.left) or (spans_hosts and self.deaths.any_lately()):
            self._begin_pending()
            return True
        return False

    def _begin_pending(self) -> None:
        self._pending = True
        self._prepare()
        if self._sleep > _LONGEST_STEP:
            self._sleep = _FIRST_STEP

    def _prepare(self) -> None:
        """Import what a report needs while the evidence for it is still being collected."""
        if not self._prepared:
            self._prepared = True
            from importlib import import_module

            for module in _FOR_REPORTS:
                import_module(module)

    def _doubtful(self, knot: Knot, snapshot: Snapshot) -> frozenset[int]:
        """Ranks with Python threads that are not stuck in MPI: they may still release the others."""
        from jaxmpi_lint.runtime.judging import doubts

        python = {rank.rank for rank in snapshot.ranks if rank.python}
        known: dict[int, list[int]] = defaultdict(list)
        for one in knot.stuck:
            if one.rank in python:
                known[one.rank].append(one.thread.kernel_id)
        self.doubts = doubts.of(self.book, known, _STACK_SECONDS)
        return frozenset(self.doubts)

    def _stall(self, snapshot: Snapshot) -> None:
        notice = self.stalls.look(
            snapshot, stacks_now(self.book, snapshot, _STACK_SECONDS), self.history(), self.doubts
        )
        if notice is None:
            return
        self._tell([notice], snapshot)
        if self.wishes.stall_action == "exit":
            self.outlet.say("stall_action=exit: the job ends")
            self._end()

    # --- the end ------------------------------------------------------------------------------------------------

    def _all_left(self, snapshot: Snapshot) -> bool:
        present = [rank for rank in snapshot.ranks if rank.state != "absent"]
        return bool(present) and all(has_left(rank) for rank in present)

    def _judge_end(self, snapshot: Snapshot) -> None:
        """All ranks have reached the end: compare what was not compared, then release them."""
        if self.judged_end:
            return
        self.judged_end = True
        from jaxmpi_lint.runtime.judging import ending, refusals

        if not self._told_abort:
            self._tell_of_deaths(snapshot)
        found = ending.judge(snapshot, self.history(self.wishes.history), self.wishes, self._between)
        if self._tell(found, snapshot) and self.wishes.on_error != "continue":
            self._end()
        if not self.outlet.errors:
            refused = refusals.unawaited(snapshot, self.history())
            self.outlet.tell(refused, snapshot, self.book, fatal=False)  # it ends as the program ends
        self._fail_on_warnings()
        self.book.release()

    def _fail_on_warnings(self) -> None:
        """End the job because of a warning, if the option `fail_on` names it."""
        if self.outlet.failing and self.ended_at is None:
            self.outlet.say(f"fail_on={self.wishes.fail_on}: {self.outlet.failing} was reported, the job ends")
            self._end()

    def _aborted(self, snapshot: Snapshot) -> bool:
        """Whether a rank has just called MPI_Abort: where all ranks are is said before MPI ends the job."""
        if self._told_abort or all(rank.state != "aborted" for rank in snapshot.ranks):
            return False
        self._told_abort = True
        self._tell_of_deaths(snapshot)
        self.book.release()
        return True

    def _tell_of_deaths(self, snapshot: Snapshot) -> None:
        """Report the ranks that died silently, and where all ranks were. The launcher decides how the job ends."""
        from jaxmpi_lint.runtime.judging import ending

        gone = frozenset(rank.rank for rank in snapshot.ranks if vanished(rank))
        if self.deaths is None or self.outlet.errors:
            return
        aborted = [rank.rank for rank in snapshot.ranks if rank.state == "aborted"]
        if aborted:
            self.outlet.say_where(ending.abort(snapshot), snapshot)
        if aborted or not gone:
            return
        verdict = self.deaths.verdict_with_exits(gone, [rank.rank for rank in snapshot.ranks if rank.state == "exited"])
        history = self.history()
        found = ending.mismatched(snapshot, history) or ending.killed(snapshot, verdict, history)
        if found:
            self._tell(found, snapshot)
        elif not snapshot.alone:
            ended = min((one.noticed for one in self.deaths.seen() if one.rank in gone), default=0.0)
            self.outlet.say_where(ending.how_it_ended(snapshot, verdict), snapshot, ended, self.book)

    def _interrupted(self, ranks: Sequence[int], snapshot: Snapshot) -> None:
        """The user has interrupted the job, but ranks inside MPI cannot be interrupted."""
        if not self._told_interrupt:
            what = f"{wording.ranks(ranks)} {wording.verb(ranks, 'was', 'were')} interrupted"
            self.outlet.say_where(what, snapshot, snapshot.taken, self.book)
        self._told_interrupt = True
        if self.wishes.on_error != "continue":
            self._end(_INTERRUPTED)

    def _end(self, exitcode: int | None = None) -> None:
        self.ended_at = self.clock()
        self.book.end(self.wishes.exitcode if exitcode is None else exitcode)

    def _tell(self, found: Sequence[Finding], snapshot: Snapshot) -> bool:
        """Report findings; whether one of them is an error."""
        from jaxmpi_lint.runtime.judging.explaining import explained

        fatal = self.wishes.on_error != "continue"
        whole = [explained(one, snapshot, self.book, _STACK_SECONDS) for one in found]
        return self.outlet.tell(whole, snapshot, self.book, fatal)


def _identity(stuck: Stuck) -> tuple[int, ...]:
    return (*stuck.key, stuck.thread.sequence)


def _ending(snapshot: Snapshot) -> bool:
    """Whether a rank is still in MPI_Finalize, where it checks for leaks and incomplete requests."""
    return any(rank.alive and rank.state in ("running", "finalizing") for rank in snapshot.ranks)


def _expected(one: RawFinding, snapshot: Snapshot) -> bool:
    """Whether a rank may still reach a mismatched collective."""
    for communicator in snapshot.communicators:
        if communicator.index == one.communicator:
            late = {lane.rank for lane in communicator.lanes if lane.state == "member" and lane.count <= one.ordinal}
            return any(rank.rank in late and not has_left(rank) for rank in snapshot.ranks)
    return False
