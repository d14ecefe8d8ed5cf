"""Reliance on buffering: a replay of the histories in which no standard send is buffered.

Every call becomes a step that *posts* something (a message, a receive, its arrival at a collective) and *needs* what
others post. Receives are matched as they were in the run, so wildcards are fixed; what is no longer in any history
counts as posted. The replay continues past everything unknown, so a replay that stops has found a real reliance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side, Step
from jaxmpi_lint.runtime.judging.histories import is_collective
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Record, Snapshot

Token = tuple[object, ...]
Place = tuple[int, int]
"""A thread: world rank and slot."""

_SENDS = frozenset({"MPI_Send", "MPI_Ssend", "MPI_Bsend"})  # the message's mode in a record
_RECEIVES = "MPI_Recv"
_MATCHED = frozenset({"Mrecv", "Imrecv"})  # of a message that Mprobe found
_PROBES = frozenset({"Probe", "Mprobe"})
_EXCHANGES = frozenset({"Sendrecv", "Sendrecv_replace"})
_WAITS = frozenset({"Wait", "Waitall"})
# Without buffering these would have returned too: with a different request, or with none.
_LENIENT = frozenset({"Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome", "Request_get_status"})
_ALL = frozenset({"Barrier", "Allgather", "Allgatherv", "Alltoall", "Allreduce", "Reduce_scatter_block", "Comm_split"})
_FROM_ROOT = frozenset({"Bcast", "Scatter", "Scatterv"})
_TO_ROOT = frozenset({"Gather", "Gatherv", "Reduce"})
_MOST = 5  # reliances reported of one replay


@dataclass(slots=True)
class _Step:
    """One call in the replay."""

    record: Record
    posts: tuple[Token, ...]
    needs: tuple[Token, ...]
    buffered: bool  # needs stand for a standard send


def reliances(snapshot: Snapshot, histories: Mapping[int, Sequence[Record]], as_error: bool = False) -> list[Finding]:
    """The places where the program continued only because MPI buffered messages."""
    replay = _Replay(_Reader(snapshot, histories).threads())
    found: dict[object, Finding] = {}
    for cycle in replay.cycles():
        finding = replace(_finding(cycle, snapshot), error=True if as_error else None)
        found.setdefault(finding.key, finding)
        if len(found) >= _MOST:
            break
    return list(found.values())


class _Reader:
    """From records to steps."""

    def __init__(self, snapshot: Snapshot, histories: Mapping[int, Sequence[Record]]) -> None:
        self.communicators = {entry.index: entry for entry in snapshot.communicators}
        self.histories = histories
        # Their messages may have been cancelled or not recorded: the counters need not match what was received.
        self.uncertain = frozenset(rank.rank for rank in snapshot.ranks if rank.uncertain)

    def threads(self) -> dict[Place, list[_Step]]:
        """The steps of every thread, in order."""
        threads: dict[Place, list[_Step]] = {}
        for rank, records in self.histories.items():
            requests: dict[int, tuple[Token, bool]] = {}
            by_thread: dict[int, list[Record]] = defaultdict(list)
            for record in records:
                if record.result == 0:
                    by_thread[record.thread].append(record)
            for slot, own in by_thread.items():
                threads[rank, slot] = list(self._steps(rank, own, requests))
        return threads

    def _steps(self, rank: int, records: Sequence[Record], requests: dict[int, tuple[Token, bool]]) -> Iterator[_Step]:
        sending: _Step | None = None  # the first half of a Sendrecv, whose two records follow one another
        for record in records:
            step = self._step(rank, record, requests)
            if wording.function(record.function) not in _EXCHANGES:
                if step is not None:
                    yield step
            elif record.signature.function in _SENDS:
                sending = step
            elif step is not None or sending is not None:
                halves = [half for half in (sending, step) if half is not None]
                posts = tuple(token for half in halves for token in half.posts)
                needs = tuple(token for half in halves for token in half.needs)
                yield _Step(halves[0].record, posts, needs, False)
                sending = None

    def _step(self, rank: int, record: Record, requests: dict[int, tuple[Token, bool]]) -> _Step | None:
        name = wording.function(record.function)
        if name in _WAITS:
            known = requests.pop(record.request, None) if record.request else None
            return _Step(record, (), (known[0],), known[1]) if known else None
        if is_collective(record):
            return self._collective(rank, record, requests)
        if name in _LENIENT or not _known(record) or self.uncertain & {rank, record.peer}:
            return None
        role = _RECEIVES if name in _MATCHED else record.signature.function
        ends = (rank, record.peer) if role in _SENDS else (record.peer, rank)
        message = (record.communicator, *ends, record.tag, record.ordinal)
        sent, received = ("sent", *message), ("received", *message)
        if role == "MPI_Probe":
            return _Step(record, (), (sent,), False) if name in _PROBES else None
        if role not in _SENDS and role != _RECEIVES:
            return None
        mine, theirs = (sent, received) if role in _SENDS else (received, sent)
        standard = role == "MPI_Send"
        if role == "MPI_Bsend":
            return _Step(record, (mine,), (), False)
        if record.request:
            requests[record.request] = (theirs, standard)
            return _Step(record, (mine,), (), False)
        return _Step(record, (mine,), (theirs,), standard)

    def _collective(self, rank: int, record: Record, requests: dict[int, tuple[Token, bool]]) -> _Step | None:
        signature = record.signature
        communicator = self.communicators.get(record.communicator if record.communicator is not None else -1)
        if communicator is None or communicator.kind != "intra" or signature.persistent:
            return None
        needs = tuple(_arrival(communicator, record.ordinal, other) for other in _needed(rank, record, communicator))
        posts = (_arrival(communicator, record.ordinal, rank),)
        if signature.non_blocking:
            if record.request and needs:
                requests[record.request] = (needs[0], False)
            return _Step(record, posts, (), False)
        return _Step(record, posts, needs, False)


def _arrival(communicator: Communicator, ordinal: int, rank: int) -> Token:
    return ("collective", communicator.index, ordinal, rank)


def _needed(rank: int, record: Record, communicator: Communicator) -> Iterable[int]:
    """The ranks without which a collective cannot return."""
    signature = record.signature
    name = wording.function(signature.function)
    others = [lane.rank for lane in communicator.lanes if lane.rank != rank and lane.state != "outside"]
    if name != "Barrier" and (not signature.count_known or signature.elements == 0) and not signature.pickled:
        return ()
    if name in _ALL:
        return others
    root = next((lane.rank for lane in communicator.lanes if lane.rank_in == signature.root), None)
    if name in _FROM_ROOT:
        return [root] if root is not None and root != rank else ()
    return others if name in _TO_ROOT and root == rank else ()


def _known(record: Record) -> bool:
    return record.peer is not None and record.peer >= 0 and record.tag is not None and record.ordinal > 0


class _Replay:
    """Runs all threads as far as possible."""

    def __init__(self, threads: Mapping[Place, Sequence[_Step]]) -> None:
        self.threads = threads
        self.at = dict.fromkeys(threads, 0)
        self.posted: set[Token] = set()
        self.owner = {token: place for place, steps in threads.items() for step in steps for token in step.posts}
        self._waiting: dict[Token, list[Place]] = defaultdict(list)

    def cycles(self) -> Iterator[list[tuple[Place, _Step]]]:
        """Each wait cycle that buffering broke; the replay then continues as if its sends had been buffered."""
        self._run(list(self.threads))
        while stuck := {
            place: steps[self.at[place]] for place, steps in self.threads.items() if self.at[place] < len(steps)
        }:
            cycle = self._cycle(stuck)
            freed = [place for place in cycle or stuck if stuck[place].buffered]
            if not freed:
                return
            if cycle:
                yield [(place, stuck[place]) for place in cycle]
            for place in freed:
                self.at[place] += 1
            self._run(freed)

    def _run(self, places: list[Place]) -> None:
        while places:
            place = places.pop()
            steps = self.threads[place]
            while self.at[place] < len(steps):
                step = steps[self.at[place]]
                for token in step.posts:
                    if token not in self.posted:
                        self.posted.add(token)
                        places += self._waiting.pop(token, [])
                missing = next((token for token in step.needs if self._missing(token)), None)
                if missing is not None:
                    self._waiting[missing].append(place)
                    break
                self.at[place] += 1

    def _missing(self, token: Token) -> bool:
        return token in self.owner and token not in self.posted

    def _cycle(self, stuck: Mapping[Place, _Step]) -> list[Place]:
        import networkx as nx

        graph: Any = nx.DiGraph()
        for place, step in stuck.items():
            graph.add_edges_from((place, self.owner[token]) for token in step.needs if self._missing(token))
        for component in nx.strongly_connected_components(graph):
            inside = graph.subgraph(component)
            if len(component) > 1 or any(inside.has_edge(place, place) for place in component):
                ring = [place for place, _ in nx.find_cycle(inside)]
                if any(stuck[place].buffered for place in ring):
                    return ring
        return []


def _finding(cycle: Sequence[tuple[Place, _Step]], snapshot: Snapshot) -> Finding:
    communicators = {entry.index: entry for entry in snapshot.communicators}
    steps, sides = [], []
    for position, ((rank, _), step) in enumerate(cycle):
        after = cycle[(position + 1) % len(cycle)][0][0]
        record = step.record
        call = _call(record, snapshot)
        sends = record.signature.function in _SENDS
        what = wording.SENDS if sends else wording.ENTERS if is_collective(record) else wording.RECEIVES
        steps.append(Step((rank,), call, record.site, what, (after,)))
        sides.append((rank, call, record, step.buffered))
    involved = tuple(sorted({rank for (rank, _), _ in cycle}))
    sends_of = tuple(sorted({rank for (rank, _), step in cycle if step.buffered}))
    first = next(step.record for _, step in cycle if step.buffered)
    size = f" ({wording.plural(first.signature.bytes, 'byte')})" if first.signature.bytes else ""
    message = (
        f"{wording.ranks(sends_of)} {wording.verb(sends_of, 'sends', 'send')} before a receive is posted: "
        f"the program continues only because MPI buffers the {'message' if len(sends_of) == 1 else 'messages'}{size}"
    )
    entry = communicators.get(first.communicator if first.communicator is not None else -1)
    return Finding("JS203", message, involved, tuple(_merged(sides)), wording.communicator(entry), steps=tuple(steps),
                   closed=True, when=snapshot.taken)  # fmt: skip


def _merged(sides: Iterable[tuple[int, str, Record, bool]]) -> Iterator[Side]:
    groups: dict[object, list[tuple[int, str, Record, bool]]] = defaultdict(list)
    for rank, call, record, buffered in sides:
        groups[record.site, wording.function(record.function)].append((rank, call, record, buffered))
    for ones in groups.values():
        numbers = tuple(sorted({rank for rank, _, _, _ in ones}))
        calls = list(dict.fromkeys(call for _, call, _, _ in ones))
        text = " | ".join(calls[:3]) + (" | ..." if len(calls) > 3 else "")
        remark = "was buffered by MPI" if ones[0][3] else ""
        yield Side(numbers, text, ones[0][2].site, remark, ones[0][3])


def _call(record: Record, snapshot: Snapshot) -> str:
    if is_collective(record):
        return wording.collective(record.signature, record.label)
    name = wording.method(record.label) if record.label else wording.spelled(record.function, record.site)
    if record.peer is None or record.peer < 0:
        return f"{name}()"
    end = "dest" if record.signature.function in _SENDS else "source"
    text = f"{name}({end}={wording.place(snapshot, record.communicator, record.peer)}, tag={record.tag})"
    return f"{text}, {wording.amount(record.signature)}" if record.signature.elements else text
