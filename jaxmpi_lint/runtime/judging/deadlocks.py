"""Findings from a knot of waiting threads: the cause is a cycle, or a rank that has ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side, Step
from jaxmpi_lint.runtime.judging import refusals
from jaxmpi_lint.runtime.judging.exits import departure, in_number, killed_notes, left_sides
from jaxmpi_lint.runtime.judging.message_counters import Messages
from jaxmpi_lint.runtime.judging.mismatches import History, past
from jaxmpi_lint.runtime.judging.wait_for_graph import Knot, Need, Stuck
from jaxmpi_lint.runtime.ledger.snapshot import Channel, Snapshot, Wait

_STARTS = 64  # ranks from which a shortest cycle is searched


def judge(knot: Knot, snapshot: Snapshot, history: History) -> list[Finding]:
    """One finding for each connected group of ranks."""
    import networkx as nx

    graph: Any = nx.DiGraph()
    for stuck in knot.stuck:
        graph.add_node(stuck.rank)
        graph.add_edges_from((stuck.rank, other) for need in stuck.needs for other in need.ranks)
    found = []
    for component in sorted(nx.weakly_connected_components(graph), key=min):
        part = [stuck for stuck in knot.stuck if stuck.rank in component]
        gone = [rank for rank in knot.left if rank in component]
        case = _Case(part, gone, graph.subgraph(component), snapshot, history, knot.certain)
        found.append(case.left() if gone else case.cycle())
    return found


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
            steps=tuple(steps),
            closed=True,
            past=shown,
            notes=tuple(self._notes()),
            when=max(one.thread.entered for one in self.stuck),
        )

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
        if len(involved) == 1:
            return f"{who} waits for itself: no other rank can complete its call"
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
        for component in sorted(nx.strongly_connected_components(self.graph), key=min):
            if len(component) == 1:
                alone = next(iter(component))
                if best or any(other != alone for other in self.graph.successors(alone)):
                    continue
                return [alone]
            inside = self.graph.subgraph(component)
            for start in sorted(component)[:_STARTS]:
                for after in inside.successors(start):
                    path = nx.shortest_path(inside, after, start)
                    if not best or len(path) < len(best):
                        best = [start, *path[:-1]]
                    if len(best) == 2:
                        return best
        return best or sorted(self.graph.nodes)[:1]

    def _edges(self, ring: Sequence[int]) -> Iterator[tuple[Stuck, Need]]:
        for position, rank in enumerate(ring):
            following = ring[(position + 1) % len(ring)]
            fitting = [
                (one, need)
                for one in self.stuck
                for need in one.needs
                if one.rank == rank and (following in need.ranks or not need.ranks)
            ]
            if fitting:
                yield fitting[0]

    def _steps(self, ring: Sequence[int]) -> list[Step]:
        taken: set[int] = set()
        steps: list[Step] = []
        for position, (one, need) in enumerate(self._edges(ring)):
            following = ring[(position + 1) % len(ring)]
            call = wording.wait(self.snapshot, one.thread, need.wait)
            alike = {one.rank}
            if need.wait.kind == "collective":
                alike |= {
                    other.rank
                    for other in self.stuck
                    if other.rank not in ring
                    and any(
                        following in wanted.ranks
                        and (wanted.wait.communicator, wanted.wait.ordinal)
                        == (need.wait.communicator, need.wait.ordinal)
                        for wanted in other.needs
                    )
                }
            alike -= taken
            taken |= alike
            steps.append(Step(tuple(sorted(alike)), call, one.thread.site, wording.waits_for(need.wait), need.ranks))
        ahead = [*steps[1:], *steps[:1]]
        return [
            replace(step, others=tuple(sorted(set(step.others) & set(after.ranks))) or step.others)
            for step, after in zip(steps, ahead, strict=True)
        ]

    # --- common -------------------------------------------------------------------------------------------------

    def _sides(self, stuck: Iterable[Stuck]) -> Iterator[Side]:
        groups: dict[tuple[object, ...], list[Stuck]] = defaultdict(list)
        for one in stuck:
            groups[one.thread.site, one.thread.function, one.thread.label].append(one)
        for ones in groups.values():
            shown: dict[str, list[int]] = defaultdict(list)
            wanted: set[int] = set()
            for one in ones:
                if one.needs:
                    shown[wording.wait(self.snapshot, one.thread, one.needs[0].wait)].append(one.rank)
                wanted.update(rank for need in one.needs for rank in need.ranks)
            call = " | ".join(list(shown)[:3]) + (" | ..." if len(shown) > 3 else "")
            waited = wanted or {one.rank for one in ones}
            remark = f"waits for {wording.ranks(waited)}" if len(ones) == 1 else f"wait for {wording.ranks(waited)}"
            yield Side(tuple(sorted({one.rank for one in ones})), call, ones[0].thread.site, remark)

    def _unreceived(self) -> Iterator[tuple[Stuck, Wait, Channel]]:
        """The messages at ranks that wait for another message."""
        lying = [channel for channel in Messages(self.snapshot).unreceived() if channel.source is not None]
        for one in self.stuck:
            waits = [need.wait for need in one.needs if need.wait.kind in ("receive", "probe")]
            yield from ((one, wait, channel) for wait in waits for channel in lying if channel.destination == one.rank)

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
        if not self.certain:
            yield "for small messages MPI may complete some of these calls early; here they have not completed"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _asked(peer: int | None, any_source: bool) -> str:
    return "any rank" if any_source or peer is None else f"rank {peer}"
