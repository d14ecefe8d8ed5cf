"""The wait-for graph: which threads of a snapshot can never continue.

A blocked thread waits for all (or, in Waitany, any) of a set of events, and each event can be caused by some ranks: an
AND-OR graph. A thread is *live* if it is not blocked, or if the events that it waits for have occurred or can still be
caused by a live rank. That is a least fixpoint; the threads outside it are stuck.

Some waits are only *possible*: a standard send may be buffered, the root of a broadcast may return early. `analyse`
runs first with these counted as met (`certain`), and, if that finds nothing, again with them counted as waits; the
result of the second run holds only for threads that are proven to wait in the call (`evidence.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from jaxmpi_lint.runtime.judging.members import Members
from jaxmpi_lint.runtime.judging.message_counters import Messages
from jaxmpi_lint.runtime.judging.propagation import Condition, Key, Propagation
from jaxmpi_lint.runtime.ledger.snapshot import Rank, Snapshot, Thread, Wait

GONE = frozenset({"finalizing", "finalized", "exited", "aborted", "vanished"})
_CONNECTING = 3.0  # seconds in which a send that needs no receiver must have reached another host
_MANY = 1000  # possible senders of a message from which the receiver itself is not left out
_MET = Condition(frozenset(), True)
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
    left = tuple(sorted(ranks_of(need for one in stuck for need in one.needs) & graph.left))
    return Knot(stuck, left, not possible)


def ranks_of(needs: Iterable[Need]) -> set[int]:
    """The ranks that would have to meet any of these waits; many of them share one tuple."""
    return set().union(*{id(need.ranks): need.ranks for need in needs}.values())


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
        self._members = {index: Members(one) for index, one in self.communicators.items()}
        self._threads_of = Counter(rank for rank, _ in self.threads)
        self._singles: dict[int, frozenset[int]] = {}
        self._sorted: dict[frozenset[int], tuple[int, ...]] = {}

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
                needs.append(Need(wait, self._in_order(bringers)))
        return tuple(needs)

    def _in_order(self, ranks: frozenset[int]) -> tuple[int, ...]:
        if ranks not in self._sorted:
            self._sorted[ranks] = tuple(sorted(ranks))
        return self._sorted[ranks]

    @cached_property
    def live(self) -> frozenset[Key]:
        """The threads that may continue: the least fixpoint."""
        free = {key for key, thread in self.threads.items() if thread.activity != "blocked" or self._unjudged(thread)}
        propagation = Propagation(self._live_ranks(free))
        for key, thread in self.threads.items():
            if key not in free:
                conditions = [self._condition(key, wait) for wait in thread.waits]
                propagation.add(key, conditions, thread.any_of)
        return frozenset(free | propagation.freed())

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

    def _condition(self, key: Key, wait: Wait) -> Condition:
        """What must hold for a wait to end. The thread's own rank makes no difference: it is live if the thread is."""
        if not self._counts(wait) or self._met(key, wait):
            return _MET
        if wait.kind == "collective":
            missing = self._still_to_come(key[0], wait)
            return _MET if missing is None else Condition(missing, wait.flow != "neighbourhood")
        senders = self._possible_peers(wait)
        return _MET if senders is None else Condition(senders, False)

    def _counts(self, wait: Wait) -> bool:
        """Whether this run counts a wait, and whether it can be judged."""
        communicator = self.communicators.get(wait.communicator)
        known = communicator is not None and not communicator.unchecked and wait.kind != "unknown"
        return known and (wait.certain or self.possible)

    def _met(self, key: Key, wait: Wait) -> bool:
        if wait.kind in ("receive", "probe"):
            return self.messages.waiting_for(key[0], wait)
        if wait.kind in ("synchronous_send", "standard_send"):
            return self.messages.taken(key[0], wait)
        if wait.flow not in _FLOWS_TO_OTHERS:
            return True
        missing = self._still_to_come(key[0], wait)
        return missing is not None and not missing

    def _bringers(self, key: Key, wait: Wait) -> frozenset[int] | None:
        """The ranks that could meet a wait (of a collective: the ranks that have not entered it).

        None if one of them cannot be observed: on a different host, or unknown.
        """
        if wait.kind == "collective":
            return self._still_to_come(key[0], wait)
        peers = self._possible_peers(wait)
        is_small = peers is not None and len(peers) <= _MANY
        return peers - self._alone(key) if is_small and peers is not None else peers

    def _possible_peers(self, wait: Wait) -> frozenset[int] | None:
        """The ranks at the other end of a message, the own one included."""
        if wait.any_source or wait.peer is None:
            members = self._members[wait.communicator].ranks
            return members if len(members) >= self.communicators[wait.communicator].size else None
        return self._single(wait.peer) if wait.peer in self.ranks else None

    def _alone(self, key: Key) -> frozenset[int]:
        """The thread's own rank, if no other thread of it could meet the wait."""
        others = self._threads_of[key[0]] > 1 or key[0] in self.doubtful or self.ranks[key[0]].uncertain
        return frozenset() if others else self._single(key[0])

    def _single(self, rank: int) -> frozenset[int]:
        if rank not in self._singles:
            self._singles[rank] = frozenset({rank})
        return self._singles[rank]

    def _still_to_come(self, rank: int, wait: Wait) -> frozenset[int] | None:
        members = self._members[wait.communicator]
        if wait.flow in ("from_root", "to_root") and wait.peer is not None and wait.peer != rank:
            if wait.peer not in self.ranks:
                return None
            return self._single(wait.peer) & members.behind(wait.ordinal)
        if len(members.ranks) < self.communicators[wait.communicator].size:
            return None
        return members.awaited(rank, wait)
