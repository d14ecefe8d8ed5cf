"""The wait-for graph: which threads of a snapshot can never continue.

A blocked thread waits for all (or, in Waitany, any) of a set of events, and each event can be caused by some ranks: an
AND-OR graph. A thread is *live* if it is not blocked, or if the events that it waits for have occurred or can still be
caused by a live rank. That is a least fixpoint; the threads outside it are stuck.

Some waits are only *possible*: a standard send may be buffered, the root of a broadcast may return early. `analyse`
runs first with these counted as met (`certain`), and, if that finds nothing, again with them counted as waits; the
result of the second run holds only for threads that are proven to wait in the call (`evidence.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from jaxmpi_lint.runtime.judging.message_counters import Messages
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Rank, Snapshot, Thread, Wait

Key = tuple[int, int]
"""A thread: its world rank and its slot in the ledger."""

GONE = frozenset({"finalizing", "finalized", "exited", "aborted", "vanished"})
_CONNECTING = 3.0  # seconds in which a send that needs no receiver must have reached another host
_FLOWS_TO_OTHERS = frozenset({"all", "from_root", "to_root", "prefix", "neighbourhood"})


def has_left(rank: Rank) -> bool:
    """Whether a rank can no longer communicate."""
    return rank.state in GONE or (not rank.alive and rank.state != "absent")


@dataclass(frozen=True, slots=True)
class Need:
    """One wait that can never be met, and the ranks that would have to meet it: stuck ranks and ended ranks."""

    wait: Wait
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stuck:
    """A thread that can never continue."""

    rank: int
    thread: Thread
    needs: tuple[Need, ...]

    @property
    def key(self) -> Key:
        """Its place in the ledger."""
        return (self.rank, self.thread.slot)


@dataclass(frozen=True, slots=True)
class Knot:
    """Threads that wait only for one another or for ranks that have ended."""

    stuck: tuple[Stuck, ...]
    left: tuple[int, ...]
    certain: bool

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks with a stuck thread."""
        return tuple(sorted({stuck.rank for stuck in self.stuck}))


def may_be_connecting(knot: Knot, snapshot: Snapshot) -> bool:
    """Whether a thread might still return because of what is on its way to another host."""
    hosts = {rank.rank: rank.host for rank in snapshot.ranks}
    recent = (one for one in knot.stuck if snapshot.taken - one.thread.entered < _CONNECTING)
    needs = ((one.rank, need) for one in recent for need in one.needs if not need.wait.certain)
    return any(hosts.get(other) != hosts[rank] for rank, need in needs for other in need.ranks)


def analyse(snapshot: Snapshot, doubtful: Collection[int] = (), possible: bool = False) -> Knot | None:
    """The stuck threads of a snapshot. ``doubtful`` ranks may have unknown threads: they count as live."""
    graph = Graph(snapshot, doubtful, possible)
    stuck = graph.stuck()
    if not stuck:
        return None
    wanted = {rank for one in stuck for need in one.needs for rank in need.ranks}
    left = tuple(sorted(rank for rank in wanted if rank in graph.left))
    return Knot(stuck, left, not possible)


class Graph:
    """The wait-for graph of one snapshot."""

    def __init__(self, snapshot: Snapshot, doubtful: Collection[int] = (), possible: bool = True) -> None:
        self.snapshot = snapshot
        self.possible = possible
        self.messages = Messages(snapshot)
        self.ranks = {rank.rank: rank for rank in snapshot.ranks if rank.state != "absent"}
        self.left = frozenset(rank.rank for rank in self.ranks.values() if has_left(rank))
        self.doubtful = frozenset(doubtful)
        self.threads: dict[Key, Thread] = {
            (rank.rank, thread.slot): thread
            for rank in self.ranks.values()
            if rank.rank not in self.left
            for thread in rank.threads
            if thread.activity != "ended"
        }
        self.communicators = {communicator.index: communicator for communicator in snapshot.communicators}
        self._missing: dict[tuple[int, int], frozenset[int]] = {}

    def stuck(self) -> tuple[Stuck, ...]:
        """The threads that can never continue, in order of rank."""
        return tuple(
            Stuck(key[0], thread, self.unmet(key, thread))
            for key, thread in sorted(self.threads.items())
            if key not in self.live
        )

    def unmet(self, key: Key, thread: Thread) -> tuple[Need, ...]:
        """The unmet waits of a blocked thread, with the ranks that could meet them."""
        needs = []
        for wait in thread.waits:
            if not self._counts(wait) or self._met(key, wait):
                if thread.any_of:
                    return ()
                continue
            bringers = self._bringers(key, wait)
            if bringers is not None:
                needs.append(Need(wait, tuple(sorted(bringers))))
        return tuple(needs)

    @cached_property
    def live(self) -> frozenset[Key]:
        """The threads that may continue: the least fixpoint."""
        live = {key for key, thread in self.threads.items() if thread.activity != "blocked" or self._unjudged(thread)}
        ranks = self._live_ranks(live)
        waiting = {key: thread for key, thread in self.threads.items() if key not in live}
        while waiting:
            freed = [key for key, thread in waiting.items() if self._may_go_on(key, thread, ranks, live)]
            if not freed:
                break
            for key in freed:
                live.add(key)
                ranks.add(key[0])
                del waiting[key]
        return frozenset(live)

    def _live_ranks(self, live: Iterable[Key]) -> set[int]:
        ranks = {rank for rank, _ in live}
        with_threads = {rank for rank, _ in self.threads}
        for rank in self.ranks.values():
            silent = rank.rank not in with_threads or rank.rank in self.doubtful or rank.uncertain
            if rank.rank not in self.left and silent:
                ranks.add(rank.rank)
        return ranks

    @staticmethod
    def _unjudged(thread: Thread) -> bool:
        """Whether too little is known of a blocked thread to judge it."""
        return not thread.waits or (thread.any_of and thread.waits_overflow)

    def _may_go_on(self, key: Key, thread: Thread, ranks: Collection[int], live: Collection[Key]) -> bool:
        answers = (self._possible(key, wait, ranks, live) for wait in thread.waits)
        return any(answers) if thread.any_of else all(answers)

    def _possible(self, key: Key, wait: Wait, ranks: Collection[int], live: Collection[Key]) -> bool:
        if not self._counts(wait) or self._met(key, wait):
            return True
        bringers = self._bringers(key, wait)
        if bringers is None:
            return True
        able = (rank in ranks for rank in bringers)
        return all(able) if self._needs_all(wait) else any(able)

    def _counts(self, wait: Wait) -> bool:
        """Whether this run counts a wait, and whether it can be judged."""
        communicator = self.communicators.get(wait.communicator)
        known = communicator is not None and not communicator.unchecked and wait.kind != "unknown"
        return known and (wait.certain or self.possible)

    @staticmethod
    def _needs_all(wait: Wait) -> bool:
        return wait.kind == "collective" and wait.flow != "neighbourhood"

    def _met(self, key: Key, wait: Wait) -> bool:
        if wait.kind in ("receive", "probe"):
            return self.messages.waiting_for(key[0], wait)
        if wait.kind in ("synchronous_send", "standard_send"):
            return self.messages.taken(key[0], wait)
        if wait.flow not in _FLOWS_TO_OTHERS:
            return True
        bringers = self._bringers(key, wait)
        return bringers is not None and not bringers

    def _bringers(self, key: Key, wait: Wait) -> frozenset[int] | None:
        """The ranks that could meet a wait (of a collective: the ranks that have not entered it).

        None if one of them cannot be observed: on a different host, or unknown.
        """
        communicator = self.communicators[wait.communicator]
        if wait.kind == "collective":
            return self._still_to_come(key[0], wait, communicator)
        if wait.any_source or wait.peer is None:
            members = {lane.rank for lane in communicator.lanes if lane.state != "outside"}
            return frozenset(members - self._alone(key)) if len(members) >= communicator.size else None
        return frozenset({wait.peer} - self._alone(key)) if wait.peer in self.ranks else None

    def _alone(self, key: Key) -> frozenset[int]:
        """The thread's own rank, if no other thread of it could meet the wait."""
        others = any(rank == key[0] and slot != key[1] for rank, slot in self.threads)
        return frozenset() if others or key[0] in self.doubtful or self.ranks[key[0]].uncertain else frozenset({key[0]})

    def _still_to_come(self, rank: int, wait: Wait, communicator: Communicator) -> frozenset[int] | None:
        if wait.flow in ("from_root", "to_root") and wait.peer is not None and wait.peer != rank:
            wanted = {wait.peer}
            if wait.peer not in self.ranks:
                return None
        else:
            known = {lane.rank for lane in communicator.lanes if lane.state != "outside"}
            if len(known) < communicator.size:
                return None
            wanted = known - {rank}
            if communicator.kind == "inter":
                remote = set(communicator.remote)
                wanted = known - remote if rank in remote else known & remote
            if wait.flow == "prefix":
                places = {lane.rank: lane.rank_in for lane in communicator.lanes}
                wanted = {other for other in wanted if places[other] < places.get(rank, 0)}
        missing = self._behind(communicator, wait.ordinal) & wanted
        if wait.flow == "neighbourhood" and len(missing) < len(wanted):
            return frozenset()
        return frozenset(missing)

    def _behind(self, communicator: Communicator, ordinal: int) -> frozenset[int]:
        """The ranks of a communicator that have not entered a collective yet."""
        at = (communicator.index, ordinal)
        if at not in self._missing:
            self._missing[at] = frozenset(lane.rank for lane in communicator.lanes if lane.count <= ordinal)
        return self._missing[at]
