"""Findings from a knot of waiting threads: the cause is a cycle, or a rank that has ended."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side, Step
from jaxmpi_lint.runtime.judging import refusals, unstarted
from jaxmpi_lint.runtime.judging.exits import departure, in_number, killed_notes, left_sides
from jaxmpi_lint.runtime.judging.histories import History, past
from jaxmpi_lint.runtime.judging.message_counters import Messages
from jaxmpi_lint.runtime.judging.wait_for_graph import Knot, Need, Stuck, ranks_of
from jaxmpi_lint.runtime.ledger.snapshot import Channel, Snapshot, Wait

_OWN_MESSAGE = (
    "Check that the rank in `source` or `dest` is meant. A message of a rank to itself needs a receive that is posted "
    "first: `Irecv` before `Send`, or `Sendrecv`."
)
_STARTS = 64  # ranks from which a shortest cycle is searched
_EDGES = 250_000  # from all ranks that wait for one set of ranks
_FEW = 8  # edges from each of them if there were more
_GROUPS = 20  # of ranks that are connected; each is a finding


def judge(knot: Knot, snapshot: Snapshot, history: History) -> list[Finding]:
    """One finding for each connected group of ranks, up to some; the last one mentions the rest."""
    graph, in_parts, gone_in = _graph(knot), defaultdict(list), defaultdict(list)
    components = _components(knot, graph)
    part_of = {rank: number for number, component in enumerate(components) for rank in component}
    for stuck in knot.stuck:
        in_parts[part_of[stuck.rank]].append(stuck)
    for rank in knot.left:
        gone_in[part_of[rank]].append(rank)
    found = []
    for number, component in enumerate(components[:_GROUPS]):
        gone = gone_in[number]
        case = _Case(in_parts[number], gone, graph.subgraph(component), snapshot, history, knot.certain)
        found.append(case.left() if gone else case.cycle())
    if more := len(components) - len(found):
        found[-1] = replace(found[-1], notes=(*found[-1].notes, _others(more, components[_GROUPS:])))
    return found


def _graph(knot: Knot) -> Any:
    """Which rank waits for which.

    Of a large set that many ranks wait for, only the first of them has all edges, so that the set stays connected. The
    others have some, all to ranks at fault: each stuck rank leads to one, and so there is a cycle, if not the shortest.
    """
    import networkx as nx

    graph: Any = nx.DiGraph()
    waiters = Counter(id(need.ranks) for stuck in knot.stuck for need in stuck.needs)
    at_fault = frozenset(knot.ranks) | frozenset(knot.left)
    few: dict[int, tuple[int, ...]] = {}
    for stuck in knot.stuck:
        graph.add_node(stuck.rank)
        for need in stuck.needs:
            is_large = waiters[id(need.ranks)] * len(need.ranks) > _EDGES
            edges = few.get(id(need.ranks), need.ranks)
            if is_large and id(need.ranks) not in few:
                few[id(need.ranks)] = tuple(islice(filter(at_fault.__contains__, need.ranks), _FEW))
            graph.add_edges_from((stuck.rank, other) for other in edges if other != stuck.rank or not is_large)
    return graph


def _components(knot: Knot, graph: Any) -> list[set[int]]:
    """The connected groups: first those that wait for a rank which has ended."""
    import networkx as nx

    gone = frozenset(knot.left)
    return sorted(nx.weakly_connected_components(graph), key=lambda ranks: (gone.isdisjoint(ranks), min(ranks)))


def _others(count: int, components: Iterable[Iterable[int]]) -> str:
    ranks = sorted(rank for component in components for rank in component)
    return f"{wording.plural(count, 'more group')} of ranks cannot continue either: {wording.ranks(ranks)}"


class _Case:
    """One connected group of ranks."""

    def __init__(
        self,
        stuck: Sequence[Stuck],
        gone: Sequence[int],
        graph: Any,
        snapshot: Snapshot,
        history: History,
        certain: bool,
    ) -> None:
        self.stuck = stuck
        self.gone = tuple(gone)
        self.graph = graph
        self.snapshot = snapshot
        self.history = history
        self.certain = certain
        self.communicators = {entry.index: entry for entry in snapshot.communicators}
        self.by_rank = {rank.rank: rank for rank in snapshot.ranks}

    # --- a rank that has ended ----------------------------------------------------------------------------------

    def left(self) -> Finding:
        """Ranks wait for ranks that have ended."""
        direct = [(stuck, need) for stuck in self.stuck for need in stuck.needs if set(need.ranks) & set(self.gone)]
        in_collective = [(stuck, need) for stuck, need in direct if need.wait.kind == "collective"]
        chosen = in_collective or direct
        need = chosen[0][1]
        same = [one for one, other in chosen if other.wait.kind == need.wait.kind]
        waiting = tuple(sorted({one.rank for one in same}))
        absent = tuple(rank for rank in need.ranks if rank in self.gone)
        ways = in_number("; ".join(list(dict.fromkeys(departure(self.by_rank[rank]) for rank in absent))[:3]), absent)
        where = self._where(need)
        if in_collective:
            code = "JS108"
            message = (
                f"{wording.ranks(absent)} ended ({ways}) while {wording.ranks(waiting)} "
                f"{wording.verb(waiting, 'waits', 'wait')} for {wording.verb(absent, 'it', 'them')} in {where}"
            )
        elif need.wait.any_source or need.wait.peer is None:
            code = "JS202"
            message = (
                f"{wording.ranks(waiting)} {wording.verb(waiting, 'waits', 'wait')} for a message from any source, "
            )
            message += f"but no rank can still send one: {wording.ranks(absent)} ended ({ways})"
        else:
            code = "JS202"
            what = wording.RECEIVES if need.wait.kind in ("receive", "probe") else wording.SENDS
            message = f"{wording.ranks(waiting)} {wording.verb(waiting, 'waits', 'wait')} {what} "
            message += f"{wording.ranks(absent)}, which ended ({ways})"
        ended = [self.by_rank[rank] for rank in absent]
        sides = [*self._sides(self.stuck), *left_sides(ended, self.history), *self._senders()]
        if refusal := refusals.message(ended, self.history):
            code = refusals.CODE
            message = f"{refusal}; {wording.ranks(waiting)} {wording.verb(waiting, 'waits', 'wait')} in {where}"
        groups = [waiting, *((rank,) for rank in absent[:2])]
        entry = self.communicators.get(need.wait.communicator)
        shown = past(groups, entry, need.wait.ordinal, self.history) if in_collective else None
        return Finding(
            code,
            message,
            tuple(sorted({*self.graph.nodes})),
            tuple(sides),
            wording.communicator(entry),
            past=shown,
            notes=(*self._notes(), *killed_notes(ended)),
            when=max(one.thread.entered for one in self.stuck),
        )

    def _where(self, need: Need) -> str:
        if need.wait.kind != "collective":
            return "a message"
        name = wording.communicator(self.communicators.get(need.wait.communicator))
        forms = sorted(
            {
                wording.form(one.thread.signature, one.thread.label)
                for one in self.stuck
                if one.thread.signature is not None and one.thread.communicator == need.wait.communicator
            }
        )
        return f"{' and '.join(forms) or 'a collective'}, collective {need.wait.ordinal + 1} on {name}"

    # --- a cycle ------------------------------------------------------------------------------------------------

    def cycle(self) -> Finding:
        """Ranks wait for each other."""
        ring = self._shortest_cycle()
        steps = self._steps(ring)
        needs = [need for _, need in self._edges(ring)]
        code = self._code(needs)
        involved = tuple(sorted({rank for step in steps for rank in step.ranks}))
        entry, shown = None, None
        collective = next((need for need in needs if need.wait.kind == "collective"), None)
        if collective is not None:
            entry = self.communicators.get(collective.wait.communicator)
            groups = [step.ranks for step in steps[:3]]
            shown = past(groups, entry, collective.wait.ordinal, self.history)
        elif needs:
            entry = self.communicators.get(needs[0].wait.communicator)
        message = self._message(code, steps, involved, needs)
        return Finding(
            code,
            message,
            tuple(sorted(self.graph.nodes)),
            (*self._sides(self.stuck), *self._senders()),
            wording.communicator(entry),
            steps=() if self._alone else tuple(steps),
            closed=True,
            past=shown,
            notes=tuple(self._notes()),
            remedy=_OWN_MESSAGE if self._alone else "",
            when=max(one.thread.entered for one in self.stuck),
        )

    @property
    def _alone(self) -> bool:
        """Whether one rank waits for messages from or to itself."""
        needs = [need for one in self.stuck for need in one.needs]
        return bool(needs) and not any(need.ranks for need in needs)

    def _message(self, code: str, steps: Sequence[Step], involved: tuple[int, ...], needs: Sequence[Need]) -> str:
        who = wording.ranks(involved)
        if code == "JS207":
            names = [wording.communicator(self.communicators.get(need.wait.communicator)) for need in needs]
            return f"{who} enter collectives on {' and '.join(dict.fromkeys(names))} in different orders"
        if code == "JS208" and len(steps) >= 2:
            waits = next((step for step in steps if step.what != wording.ENTERS), steps[0])
            inside = next(step for step in steps if step.what == wording.ENTERS)
            return (
                f"{wording.ranks(waits.ranks)} {wording.verb(waits.ranks, 'waits', 'wait')} in {waits.call} "
                f"and never {wording.verb(waits.ranks, 'reaches', 'reach')} {inside.call}, "
                f"where {wording.ranks(inside.ranks)} {wording.verb(inside.ranks, 'waits', 'wait')}"
            )
        if self._alone:
            what = "send" if needs[0].wait.kind in ("receive", "probe") else "receive"
            call = wording.wait(self.snapshot, self.stuck[0].thread, needs[0].wait)
            return f"{who} waits for itself in {call}: only {who} could {what} this message"
        return f"{who} wait for each other; none of them can continue"

    @staticmethod
    def _code(needs: Sequence[Need]) -> str:
        collective = [need.wait for need in needs if need.wait.kind == "collective"]
        if len(collective) == len(needs) and len({wait.communicator for wait in collective}) > 1:
            return "JS207"
        return "JS208" if collective and len(collective) < len(needs) else "JS201"

    def _shortest_cycle(self) -> list[int]:
        import networkx as nx

        best: list[int] = []
        stuck = {one.rank for one in self.stuck}
        for component in sorted(nx.strongly_connected_components(self.graph), key=min):
            if len(component) == 1:
                alone = next(iter(component))
                if best or alone not in stuck or any(other != alone for other in self.graph.successors(alone)):
                    continue
                return [alone]
            inside = self.graph.subgraph(component)
            if inside.number_of_edges() == len(component):  # it is one cycle
                ring = [edge[0] for edge in nx.find_cycle(inside, min(component))]
                best = ring if not best or len(ring) < len(best) else best
                continue
            for start in sorted(component)[:_STARTS]:
                for after in inside.successors(start):
                    path = nx.shortest_path(inside, after, start)
                    if not best or len(path) < len(best):
                        best = [start, *path[:-1]]
                    if len(best) == 2:
                        return best
        return best or sorted(self.graph.nodes)[:1]

    def _edges(self, ring: Sequence[int]) -> Iterator[tuple[Stuck, Need]]:
        of_rank: dict[int, list[tuple[Stuck, Need]]] = defaultdict(list)
        for one in self.stuck:
            of_rank[one.rank] += ((one, need) for need in one.needs)
        for position, rank in enumerate(ring):
            following = ring[(position + 1) % len(ring)]
            fitting = (edge for edge in of_rank[rank] if following in edge[1].ranks or not edge[1].ranks)
            yield from islice(fitting, 1)

    def _steps(self, ring: Sequence[int]) -> list[Step]:
        taken: set[int] = set()
        steps: list[Step] = []
        for position, (one, need) in enumerate(self._edges(ring)):
            following = ring[(position + 1) % len(ring)]
            call = wording.wait(self.snapshot, one.thread, need.wait)
            alike = {one.rank}
            if need.wait.kind == "collective":
                alike |= self._beside(ring, need, following)
            alike -= taken
            taken |= alike
            steps.append(Step(tuple(sorted(alike)), call, one.thread.site, wording.waits_for(need.wait), need.ranks))
        ahead = [*steps[1:], *steps[:1]]
        return [
            replace(step, others=tuple(sorted(set(after.ranks).intersection(step.others))) or step.others)
            for step, after in zip(steps, ahead, strict=True)
        ]

    def _beside(self, ring: Sequence[int], need: Need, following: int) -> set[int]:
        """The ranks outside the cycle that wait for the same rank in the same collective."""
        in_ring, has_it = set(ring), {id(need.ranks): True}
        same = (
            (one.rank, wanted.ranks)
            for one in self.stuck
            for wanted in one.needs
            if (wanted.wait.communicator, wanted.wait.ordinal) == (need.wait.communicator, need.wait.ordinal)
        )
        found = set()
        for rank, ranks in same:
            if rank not in in_ring and has_it.setdefault(id(ranks), following in ranks):
                found.add(rank)
        return found

    # --- common -------------------------------------------------------------------------------------------------

    def _sides(self, stuck: Iterable[Stuck]) -> Iterator[Side]:
        groups: dict[tuple[object, ...], list[Stuck]] = defaultdict(list)
        for one in stuck:
            groups[one.thread.site, one.thread.function, one.thread.label].append(one)
        for ones in groups.values():
            shown: dict[str, list[int]] = defaultdict(list)
            for one in ones:
                if one.needs:
                    shown[wording.wait(self.snapshot, one.thread, one.needs[0].wait)].append(one.rank)
            wanted = ranks_of(need for one in ones for need in one.needs)
            call = " | ".join(list(shown)[:3]) + (" | ..." if len(shown) > 3 else "")
            whom = wording.ranks(wanted) if wanted else "itself"
            remark = f"{'waits' if len(ones) == 1 else 'wait'} for {whom}"
            yield Side(tuple(sorted({one.rank for one in ones})), call, ones[0].thread.site, remark)

    def _unreceived(self) -> Iterator[tuple[Stuck, Wait, Channel]]:
        """The messages at ranks that wait for another message."""
        lying: dict[int, list[Channel]] = defaultdict(list)
        for channel in Messages(self.snapshot).unreceived():
            if channel.source is not None:
                lying[channel.destination].append(channel)
        for one in self.stuck:
            waits = [need.wait for need in one.needs if need.wait.kind in ("receive", "probe")]
            yield from ((one, wait, channel) for wait in waits for channel in lying[one.rank])

    def _senders(self) -> Iterator[Side]:
        """Where those messages were sent."""
        for channel in dict.fromkeys(channel for _, _, channel in self._unreceived()):
            count = wording.plural(channel.sent - channel.received, "message")
            call = f"sent {count} to rank {channel.destination} with tag={channel.tag}"
            if channel.site is not None and channel.source is not None:
                yield Side((channel.source,), call, channel.site, "not received")

    def _notes(self) -> Iterator[str]:
        for one, wait, channel in self._unreceived():
            entry = self.communicators.get(channel.communicator)
            yield (
                f"{wording.plural(channel.sent - channel.received, 'message')} from rank {channel.source} with "
                f"tag={channel.tag} on {wording.communicator(entry)} {_is(channel.sent - channel.received)} "
                f"unreceived at rank {one.rank}, which waits for "
                f"{'any tag' if wait.tag is None else f'tag={wait.tag}'} from "
                f"{_asked(wait.peer, wait.any_source)} on "
                f"{wording.communicator(self.communicators.get(wait.communicator))}"
            )
        yield from unstarted.notes(self.stuck, self.history)
        if not self.certain:
            yield "for small messages MPI may complete some of these calls early; here they have not completed"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _asked(peer: int | None, any_source: bool) -> str:
    return "any rank" if any_source or peer is None else f"rank {peer}"
