"""The stall notice: ranks that have long been waiting for ranks that are alive. It is never a verdict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.judging import stacks, unstarted
from jaxmpi_lint.runtime.judging.histories import History
from jaxmpi_lint.runtime.judging.wait_for_graph import Graph, has_left, ranks_of
from jaxmpi_lint.runtime.ledger.interface import LedgerReader
from jaxmpi_lint.runtime.ledger.snapshot import Rank, Snapshot, Thread

Ask = Callable[[int], str | None]
"""The Python stacks of a rank as text; None if it did not respond."""

_ASKED = 4  # ranks whose stacks are taken
_THREADS = 3  # shown of each of them


class Stalls:
    """Gives one notice for each set of places where ranks wait."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._said: set[frozenset[tuple[str, int, str]]] = set()

    def look(self, snapshot: Snapshot, ask: Ask, history: History, doubts: Mapping[int, str]) -> Finding | None:
        """A notice, if a rank has been waiting for long. ``doubts``: why a rank may still release the others."""
        waiting = list(self._waiting(snapshot)) if self.seconds else []
        if not waiting:
            return None
        places = frozenset(
            (thread.site.file if thread.site else "", thread.site.line if thread.site else 0, thread.function)
            for _, thread in waiting
        )
        if places in self._said:
            return None
        self._said.add(places)
        found = notice(snapshot, waiting, ask, doubts)
        return replace(found, notes=(*found.notes, *unstarted.collectives(snapshot, history)))

    def _waiting(self, snapshot: Snapshot) -> Iterator[tuple[Rank, Thread]]:
        present = [rank for rank in snapshot.ranks if rank.state != "absent" and not has_left(rank)]
        threads = [(rank, thread) for rank in present for thread in rank.threads if thread.activity != "ended"]
        all_wait = threads and all(thread.activity in ("blocked", "polling") for _, thread in threads)
        kinds = ("blocked", "polling") if all_wait else ("blocked",)
        for rank, thread in threads:
            if thread.activity in kinds and snapshot.taken - thread.entered >= self.seconds:
                yield rank, thread


def stacks_now(book: LedgerReader, snapshot: Snapshot, seconds: float) -> Ask:
    """Asks ranks for their stacks; a rank that has made calls since the snapshot was elsewhere, and has none."""

    def ask(rank: int) -> str | None:
        text = book.ask_stacks(rank, seconds)
        return text if _calls(book.snapshot(), rank) == _calls(snapshot, rank) else None

    return ask


def _calls(snapshot: Snapshot, number: int) -> list[int]:
    """The calls of each thread of a rank."""
    return [thread.calls for rank in snapshot.ranks if rank.rank == number for thread in rank.threads]


def notice(snapshot: Snapshot, waiting: Sequence[tuple[Rank, Thread]], ask: Ask, doubts: Mapping[int, str]) -> Finding:
    """The ranks that wait, the ranks that they wait for, and where all of them are."""
    graph = Graph(snapshot)
    waited = {rank.rank for rank, _ in waiting}
    wanted: set[int] = set()
    sides = []
    for ones in _alike(waiting):
        needs = [need for rank, thread in ones for need in graph.unmet((rank.rank, thread.slot), thread)]
        targets = ranks_of(needs)
        wanted |= targets
        longest = max(snapshot.taken - thread.entered for _, thread in ones)
        own = sorted({rank.rank for rank, _ in ones})
        call = (
            wording.wait(snapshot, ones[0][1], ones[0][1].waits[0]) if ones[0][1].waits else wording.calls(ones[0][1])
        )
        if ones[0][1].activity == "polling":
            call += ", polling"
        remark = f"for {longest:.0f} s" + (
            f", {wording.verb(own, 'waits', 'wait')} for {wording.ranks(targets)}" if targets else ""
        )
        sides.append(Side(tuple(own), call, ones[0][1].site, remark))
    slow = sorted(wanted - waited) or sorted(wanted)
    by_rank = {rank.rank: rank for rank in snapshot.ranks}
    asked = [_slow(by_rank[number], snapshot, ask if place < _ASKED else None) for place, number in enumerate(slow[:8])]
    slow_sides = [side for side in asked if side is not None]
    whom = f" for {wording.ranks(slow)}" if slow else ""
    longest = max(snapshot.taken - thread.entered for _, thread in waiting)
    message = f"{wording.ranks(waited)} {wording.verb(waited, 'has', 'have')} been waiting{whom} for {longest:.0f} s"
    involved = tuple(sorted(waited | wanted))
    return Finding(
        "JS204", message, involved, (*sides, *slow_sides), notes=tuple(_notes(snapshot, doubts)), when=snapshot.taken
    )


def _alike(waiting: Iterable[tuple[Rank, Thread]]) -> list[list[tuple[Rank, Thread]]]:
    groups: dict[object, list[tuple[Rank, Thread]]] = defaultdict(list)
    for rank, thread in waiting:
        groups[thread.site, thread.function, thread.activity].append((rank, thread))
    return list(groups.values())


def _slow(rank: Rank, snapshot: Snapshot, ask: Ask | None) -> Side | None:
    """A rank that others wait for, with the Python stacks of its threads that are outside MPI.

    None if it only waits as well.
    """
    text = ask(rank.rank) if ask is not None and rank.python else None
    threads = [thread for thread in rank.threads if thread.activity != "ended"]
    inside = {thread.kernel_id for thread in threads if thread.activity in ("blocked", "polling")}
    free = [stack for stack in stacks.parse(text or "") if stack.kernel_id not in inside]
    waits = bool(threads) and len(inside) == len(threads)
    if waits and not free and not any(thread.stopped for thread in threads):
        return None
    main = next((stack for stack in free if stack.kernel_id == rank.process), free[0] if free else None)
    shown = [*([main] if main else []), *(stack for stack in free if stack is not main)][:_THREADS]
    parts = [f"Python stack now:\n{part}" for stack in shown if (part := stack.text())]
    site = next((frame for frame in main.program()), None) if main else None
    return Side((rank.rank,), "", site, _doing(threads, waits, snapshot), True, "\n\n".join(parts))


def _doing(threads: Sequence[Thread], waits: bool, snapshot: Snapshot) -> str:
    if any(thread.stopped for thread in threads):
        return "is stopped (SIGSTOP or a debugger)"
    if waits:
        return "has a thread outside MPI"
    last = max(threads, key=lambda thread: thread.entered, default=None)
    if last is None or not last.function:
        return "has made no MPI call yet"
    return f"outside MPI since {wording.function(last.function)} returned {snapshot.taken - last.entered:.0f} s ago"


def _notes(snapshot: Snapshot, doubts: Mapping[int, str]) -> Iterator[str]:
    if doubts:
        reasons = "; ".join(f"rank {rank} {reason}" for rank, reason in list(doubts.items())[:3])
        yield (
            "in MPI they wait for each other, or for ranks that have ended; "
            f"not reported as a deadlock because {reasons}"
        )
    polling = [rank.rank for rank in snapshot.ranks if any(thread.activity == "polling" for thread in rank.threads)]
    if polling:
        does = wording.verb(polling, "polls", "poll")
        yield f"{wording.ranks(polling)} {does} with Test, Iprobe or a similar call, which does not count as waiting"
    uncertain = [rank.rank for rank in snapshot.ranks if rank.uncertain]
    if uncertain:
        reason = "a generalised request, a cancelled receive, or a process outside this job"
        yield f"deadlock detection is disabled for {wording.ranks(uncertain)} ({reason})"
