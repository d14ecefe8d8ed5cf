"""State and call site of each rank in a snapshot, of a running job or of one that has ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from jaxmpi_lint.runtime.findings import callers, report, wording
from jaxmpi_lint.runtime.findings.finding import Side
from jaxmpi_lint.runtime.findings.report import Line
from jaxmpi_lint.runtime.judging import held
from jaxmpi_lint.runtime.judging.exits import aborted_at, at_exit, departure, in_number, raised_at, vanished
from jaxmpi_lint.runtime.judging.wait_for_graph import Graph, has_left, ranks_of
from jaxmpi_lint.runtime.ledger import excerpt
from jaxmpi_lint.runtime.ledger.snapshot import Rank, Site, Snapshot, Thread


def job(snapshot: Snapshot) -> Iterator[Line]:
    """The job's name, and its ranks."""
    here = sum(rank.state != "absent" for rank in snapshot.ranks)
    of = f" of {snapshot.world_size}" if here < snapshot.world_size else ""
    head = f"{wording.plural(here, 'rank')}{of} on {snapshot.host}, {snapshot.library}"
    yield ((f"job {snapshot.job}", "bold"), (f"  {head}", "dim"))
    yield from lines(snapshot)


def lines(snapshot: Snapshot, source: bool = True) -> Iterator[Line]:
    """One line for each group of ranks with the same state and call site."""
    graph, held_ranks = Graph(snapshot), held.holds(snapshot)
    groups: dict[tuple[str, Site | None], list[tuple[Rank, Thread | None]]] = defaultdict(list)
    for rank in snapshot.ranks:
        if rank.state == "absent":
            continue
        if has_left(rank):
            groups[departure(rank), aborted_at(rank) or raised_at(rank.farewell)].append((rank, None))
            continue
        threads = [thread for thread in rank.threads if thread.activity != "ended"]
        for thread in threads or (None,):
            hold = held.of(rank, thread, held_ranks)
            if hold is not None and thread is not None:
                groups[hold.text, hold.site].append((rank, replace(thread, site=hold.site, entered=hold.since)))
            else:
                groups[_doing(snapshot, thread), _site(rank, thread)].append((rank, thread))
    for (doing, site), ones in sorted(groups.items(), key=lambda item: item[1][0][0].rank):
        yield _group(snapshot, graph, doing, ones)
        if site is not None:
            yield from _place(site, source)
    yield from _notes([(site, [rank.rank for rank, _ in ones]) for (_, site), ones in groups.items() if site])


def last(snapshot: Snapshot, ended: float = 0.0) -> Iterator[Line]:
    """State and call site of each rank at the end of the job, of killed ranks just before they were killed."""
    before = tuple(replace(rank, state="running", alive=True) if vanished(rank) else rank for rank in snapshot.ranks)
    entered = [thread.entered for rank in before for thread in rank.threads]
    latest = max([ended, *entered, *(one.when for one in snapshot.findings)])
    return lines(replace(snapshot, ranks=before, taken=latest))


def _site(rank: Rank, thread: Thread | None) -> Site | None:
    return None if thread is None or at_exit(rank, thread) else thread.site


def _place(site: Site, source: bool) -> Iterator[Line]:
    yield (("  --> ", "dim"), (excerpt.place(site), "bold"))
    for quoted in excerpt.lines(site, before=0) if source else ():
        yield ((f"  {quoted.number:>5} | ", "dim"), (quoted.text, "bold"))
    yield from report.call_path(site, 0, 0)


def _notes(places: Sequence[tuple[Site, Sequence[int]]]) -> Iterator[Line]:
    """Ranks that are in the same call, reached from different callers."""
    sides = [Side(tuple(ranks), "", site) for site, ranks in places]
    for note in callers.notes(sides):
        yield (("  note: ", "cyan"), (note, ""))


def _group(snapshot: Snapshot, graph: Graph, doing: str, ones: Sequence[tuple[Rank, Thread | None]]) -> Line:
    numbers = [rank.rank for rank, _ in ones]
    threads = [(rank, thread) for rank, thread in ones if thread is not None]
    head = [("  ", ""), (wording.ranks(numbers), "bold"), (f"  {in_number(doing, numbers)}", "")]
    known = held.contested(snapshot)
    codes = {known[at] for _, one in threads if one.activity == "blocked" and (at := _collective(one)) in known}
    wanted = ranks_of(
        need
        for rank, thread in threads
        if thread.activity in ("blocked", "polling") and _collective(thread) not in known
        for need in graph.unmet((rank.rank, thread.slot), thread)
    )
    if threads and any(thread.entered < snapshot.taken for _, thread in threads):
        longest = max(snapshot.taken - thread.entered for _, thread in threads)
        if any(thread.function for _, thread in threads):
            head.append((f" for {_duration(longest)}", "dim"))
    if codes:
        head.append((f"  <- {', '.join(sorted(codes))}", "cyan"))
    if wanted:
        head.append((f"  <- {wording.verb(numbers, 'waits', 'wait')} for {wording.ranks(wanted)}", "cyan"))
    return tuple(head)


def _collective(thread: Thread) -> held.Place:
    return thread.communicator, thread.ordinal


def _doing(snapshot: Snapshot, thread: Thread | None) -> str:
    if thread is None or not thread.function:
        return "no MPI call yet"
    call = wording.calls(thread)
    if thread.stopped:
        return f"stopped (SIGSTOP or a debugger) after {call}"
    if thread.activity == "running":
        return f"in the program, after {wording.function(thread.function)}"
    if thread.activity == "polling":
        return f"polling with {wording.function(thread.function)}"
    if thread.activity == "held":
        return "in MPI_Finalize" if thread.function == "MPI_Finalize" else f"held by the sanitizer in {call}"
    return f"in {wording.wait(snapshot, thread, thread.waits[0]) if thread.waits else call}"


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{max(seconds, 0.0):.1f} s"
    minutes = int(seconds // 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"
