"""The ledgers of all hosts of a job as one, for the monitor that judges."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from jaxmpi_lint.runtime.hosts import asking, differences, portable
from jaxmpi_lint.runtime.hosts.merging import HostView, Indexes, merged
from jaxmpi_lint.runtime.hosts.root import Answer, Root
from jaxmpi_lint.runtime.judging import doubts
from jaxmpi_lint.runtime.judging.deaths import Death, Deaths
from jaxmpi_lint.runtime.judging.doubts import Threads
from jaxmpi_lint.runtime.ledger.interface import LedgerReader
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, DistantPart, RawFinding, Record, Snapshot

_REST = 5.0  # seconds between looks without an event
_RATE, _BURST = 1024, 65536  # bytes that a leaf sends in a second, and at once, when nothing is wrong
_SHARE, _LONGEST_REST = 0.005, 15.0  # of a core for looks without an event, which may be so many seconds apart for it
_SHORT = 0.5  # a wait up to so long is one between looks at ranks that may be stuck
_DOUBTING = 10.0  # seconds in which the leaves ask their ranks for stacks
_KEEPING = 10.0  # seconds in which the leaves store their ledgers
_ENDING = asking.ENDING + 0.5  # seconds in which the leaves acknowledge that the job ends
_OWN = ""  # the key of this host
_NOTHING: tuple[None, portable.Packed] = (None, {})


class Allowance:
    """How much leaves may send while nothing is wrong: a rate, and more than that at once after a rest."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._left, self._since = clock, float(_BURST), clock()

    def use(self, size: int) -> None:
        """So many bytes were sent."""
        now = self._clock()
        self._left = min(_BURST, self._left + (now - self._since) * _RATE) - size
        self._since = now

    def seconds(self) -> float:
        """Until more may be sent."""
        return max(0.0, -self._left / _RATE - (self._clock() - self._since))


class Effort:
    """How long to rest after a look, such that looks take a small share of a core."""

    def __init__(self, used: Callable[[], float] = time.process_time) -> None:
        """``used``: processor seconds of this process."""
        self._used = used
        self._begun: float | None = None  # what had been used when the last look began
        self._before = 0.0  # what the look before it has used

    def begin(self) -> None:
        """A look begins."""
        self._before, self._begun = self._last(), self._used()

    def seconds(self) -> float:
        """To rest, if nothing happens meanwhile: by the smaller of two looks, since the first one imports modules."""
        return min(_LONGEST_REST, min(self._last(), self._before) / _SHARE)

    def _last(self) -> float:
        return self._used() - self._begun if self._begun is not None else 0.0


class JoinedLedger:
    """A ledger that spans hosts; a `LedgerReader`. Hosts that do not respond are left out."""

    def __init__(self, own: LedgerReader, root: Root, clock: Callable[[], float] = time.monotonic) -> None:
        self.own, self.root = own, root
        indexes = Indexes()
        self._views = {_OWN: HostView(indexes)}
        self._views |= {key: HostView(indexes) for key in root.connections}
        self._host_of = {rank: key for key, one in root.connections.items() for rank in one.peer.ranks}
        self._order: list[tuple[str, int]] = []  # of each finding: its host and its number there
        self._seen: dict[str, tuple[RawFinding, ...]] = {}
        self._allowance, self._effort = Allowance(clock), Effort()
        self._held: dict[str, tuple[int | None, portable.Packed]] = {}  # the last snapshots, with their numbers
        self.deaths: dict[str, Sequence[Death]] = {}
        self.ending: dict[str, frozenset[int]] = {}

    @property
    def options(self) -> str:
        """The canonical text of the options, which are equal on all hosts."""
        return self.own.options

    def snapshot(self) -> Snapshot:
        """All hosts, each asked after this call began."""
        ready = [key for key, one in self.root.connections.items() if one.ready]
        answers = self.root.ask_each("snapshot", {key: [self._held.get(key, _NOTHING)[0]] for key in ready})
        self._allowance.use(max((answer.size for answer in answers.values()), default=0))
        views = {_OWN: self._views[_OWN].snapshot(self.own.snapshot())}
        for key, answer in answers.items():
            if (found := self._understood(key, answer)) is not None:
                views[key] = found
        for key, one in views.items():
            known = self._seen.get(key, ())
            self._order += [(key, number) for number in range(len(known), len(one.findings))]
            self._seen[key] = one.findings
        findings = [self._seen[key][number] for key, number in self._order]
        whole = len(views) > sum(one.ready for one in self.root.connections.values())
        return replace(merged([*views.values()], findings, whole), taken=views[_OWN].taken)

    def _understood(self, key: str, answer: Answer) -> Snapshot | None:
        view = self._views[key]
        try:
            packed = self._whole(key, answer.value)
            found = view.unpacked(packed, answer.asked, answer.answered)
            self.deaths[key] = [_death(fields, view.later) for fields in answer.value["deaths"]]
            self.ending[key] = frozenset(answer.value["ending"])
        except (KeyError, IndexError, TypeError, ValueError):
            return None
        self._held[key] = answer.value["number"], packed
        return found

    def _whole(self, key: str, value: Any) -> portable.Packed:
        """The snapshot in an answer, which may be told by its differences from the one before."""
        number, before = self._held.pop(key, _NOTHING)
        if value["since"] is None:
            whole: portable.Packed = value["snapshot"]
            return whole
        if value["since"] != number:
            raise ValueError("differences from another snapshot")
        return differences.applied(before, value["snapshot"])

    def history(self, rank: int, count: int) -> Sequence[Record]:
        """The last calls of a world rank, the latest last."""
        key = self._host_of.get(rank, _OWN)
        view = self._views[key]
        if key == _OWN:
            return [view.record(one) for one in self.own.history(rank, count)]
        answer = self._of(rank, "history", rank, count)
        return portable.unpacked_records(answer, view.translation) if answer else ()

    def distant_parts(self, rank: int, count: int) -> Sequence[DistantPart]:
        """The last parts of collectives with counts that a world rank exchanged with other hosts."""
        key = self._host_of.get(rank, _OWN)
        view = self._views[key]
        if key == _OWN:
            return [view.part(one) for one in self.own.distant_parts(rank, count)]
        answer = self._of(rank, "distant_parts", rank, count)
        return portable.unpacked_parts(answer, view.translation) if answer else ()

    def formers(self, rank: int, count: int) -> Sequence[Communicator]:
        """The last communicators with members on other hosts that a world rank has freed, each with its lane."""
        key = self._host_of.get(rank, _OWN)
        view = self._views[key]
        if key == _OWN:
            return view.communicators(self.own.formers(rank, count))
        answer = self._of(rank, "formers", rank, count)
        return view.unpacked_communicators(answer) if answer else ()

    def span_hashes(self, identity: int, begin: int, end: int) -> Sequence[tuple[int, int]]:
        """Of the members of a communicator on the hosts that respond: hashes of a span of their collectives."""
        answers = self.root.ask("span_hashes", identity, begin, end).values()
        told = (pair for answer in answers if not answer.error for pair in answer.value)
        return [*self.own.span_hashes(identity, begin, end), *((int(rank), int(found)) for rank, found in told)]

    def ask_stacks(self, rank: int, seconds: float) -> str | None:
        """The Python stacks of a world rank; None if it does not respond."""
        if rank not in self._host_of:
            return self.own.ask_stacks(rank, seconds)
        answer = self._of(rank, "stacks", rank, seconds)
        return answer if isinstance(answer, str) else None

    def doubts(self, known: Threads, seconds: float) -> dict[int, str]:
        """Why ranks may still release others; all hosts ask their ranks at the same time."""
        shares: dict[str, dict[int, Collection[int]]] = defaultdict(dict)
        for rank, threads in known.items():
            shares[self._host_of.get(rank, _OWN)][rank] = threads
        questions = {
            key: [[[rank, list(threads)] for rank, threads in share.items()], seconds]
            for key, share in shares.items()
            if key != _OWN
        }
        found = doubts.of_this_host(self.own, shares[_OWN], seconds)
        answers = self.root.ask_each("doubts", questions, _DOUBTING)
        for key in questions:
            if key in answers and not answers[key].error:
                found |= {int(rank): str(reason) for rank, reason in answers[key].value}
            else:
                found |= dict.fromkeys(shares[key], "is on a host whose monitor does not respond")
        return found

    def _of(self, rank: int, what: str, *arguments: Any) -> Any:
        key = self._host_of[rank]
        answer = self.root.ask(what, *arguments, whom=[key]).get(key)
        return answer.value if answer is not None else None

    def wait(self, seconds: float) -> str:
        """Sleep until something happens on any host."""
        if seconds > _SHORT:
            least = self._allowance.seconds()
            happened = self.root.wait(max(seconds, _REST, least, self._effort.seconds()), least)
        else:
            happened = self.root.wait(seconds)
        self._effort.begin()
        return "alarm" if happened else "timeout"

    def dealt_with(self, count: int) -> None:
        """Mark the first ``count`` findings as judged, on the hosts that made them."""
        for key in self._views:
            own = sum(1 for host, _ in self._order[:count] if host == key)
            if key == _OWN:
                self.own.dealt_with(own)
            else:
                self.root.tell("dealt_with", own, whom=[key])

    def suppress(self, index: int) -> None:
        """Discard this finding."""
        key, number = self._order[index]
        if key == _OWN:
            self.own.suppress(number)
        else:
            self.root.tell("suppress", number, whom=[key])

    def mark_vanished(self, rank: int, status: int | None) -> None:
        """Record that a world rank ended silently; leaves mark their own ranks."""
        if rank not in self._host_of:
            self.own.mark_vanished(rank, status)

    def release(self) -> None:
        """Let the ranks of all hosts return from MPI_Finalize."""
        self.root.tell("release")
        self.own.release()

    def unite(self, together: bool) -> None:
        """Let the ranks of all hosts wait for each other with `strict`, or no longer."""
        self.root.tell("unite", together)
        self.own.unite(together)

    def agree(self, counts: Sequence[tuple[int, int]]) -> None:
        """Let the ranks of all hosts begin the collectives on which they agree; said again while they wait."""
        self.own.agree(counts)
        self.root.tell_once("agree", [*map(list, counts)])

    def end(self, exit_code: int, everywhere: bool = False) -> None:
        """End every rank with this code, first those of other hosts.

        The ranks of this host call MPI_Abort then: it ends those of hosts that do not respond, and Hydra, which would
        wait forever although all ranks have ended. (Open MPI's launcher hangs if the ranks of several hosts do so.)
        """
        late = [key for key, one in self.root.connections.items() if one.late]
        self.root.tell("end", exit_code, True, whom=late)
        self.root.ask("end", exit_code, True, seconds=_ENDING)
        self.own.end(exit_code, everywhere)

    def local_alive(self) -> int:
        """How many ranks of this host are alive."""
        return self.own.local_alive()

    def ranks_alive(self) -> int:
        """How many ranks are alive on the hosts that respond."""
        return self.own.local_alive() + sum(one.alive for one in self.root.connections.values() if not one.late)

    def copy(self, path: str) -> None:
        """Store a copy of the own ledger at this path; the others store theirs beside it."""
        self.root.ask("keep", seconds=_KEEPING)
        self.own.copy(path)

    def unlink(self) -> None:
        """Remove the own ledger from shared memory."""
        self.own.unlink()


class JoinedDeaths(Deaths):
    """The ends of processes on all hosts, on the clock of this one."""

    def __init__(self, own: Deaths, book: JoinedLedger) -> None:
        self._own, self._book = own, book
        self.launcher_asks = own.launcher_asks

    def launcher_ended(self) -> float | None:
        """When the launcher's process on this host has ended."""
        return self._own.launcher_ended()

    def seen(self) -> list[Death]:
        """The processes that have ended, or are ending."""
        return [*self._own.seen(), *(one for deaths in self._book.deaths.values() for one in deaths)]

    def ending(self) -> frozenset[int]:
        """Ranks that are ending."""
        return self._own.ending().union(*self._book.ending.values())


def _death(fields: Sequence[Any], later: float) -> Death:
    rank, noticed, ahead, over, status = fields
    return Death(rank, noticed + later, ahead, over + later if over is not None else None, status)


def announcement(snapshot: Snapshot, unchecked: str, reason: str = "") -> str:
    """The first line of a job on several hosts."""
    here = [rank for rank in snapshot.ranks if rank.state != "absent"]
    count = f"{len(here)} rank{'s' if len(here) != 1 else ''}"
    missing = snapshot.world_size - len(here)
    apart = f"agreement with the {missing} ranks on other hosts ({reason}), " if missing else ""
    return f"checking {count} of {snapshot.library} on {snapshot.host}; not checked: {apart}{unchecked}"
