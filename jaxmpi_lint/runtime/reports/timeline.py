"""Timeline of the last MPI calls and JAX launches of processes that use both."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jaxmpi_lint.runtime.findings import callers, wording
from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.findings.report import Line
from jaxmpi_lint.runtime.ledger.snapshot import Site, Snapshot

_EVENTS = 8
_PROCESSES = 2
_WIDTH = 52


@dataclass(frozen=True, slots=True)
class Event:
    """A call of MPI or a launch of JAX; ``when`` in seconds of the monotonic clock."""

    when: float
    kind: str  # "MPI", "JAX"
    what: str
    site: Site | None


def lines(finding: Finding, snapshot: Snapshot) -> Iterator[Line]:
    """The last events of one process of each side; none for processes that use only one of the two."""
    known = {rank.rank: rank.process for rank in snapshot.ranks if rank.process}
    first = [side.ranks[0] for side in finding.sides if side.ranks] or list(finding.ranks)
    chosen = [rank for rank in dict.fromkeys(first) if rank in known][:_PROCESSES]
    if not chosen:
        return
    processes = {known[rank] for rank in chosen}
    launches = _launches(processes)
    calls = _calls(processes) if launches else {}
    for rank in chosen:
        process = known[rank]
        if calls.get(process) and launches.get(process):
            yield from _tale(rank, (*calls[process], *launches[process]), snapshot.taken)


def _tale(rank: int, events: Sequence[Event], now: float) -> Iterator[Line]:
    yield ()
    yield ((f"  {wording.ranks([rank])}", "bold"), (" in MPI and in JAX, the latest last", "dim"))
    shown = sorted(events, key=lambda one: one.when)[-_EVENTS:]
    for event, where in zip(shown, callers.trails([event.site for event in shown]), strict=True):
        what = event.what if len(event.what) <= _WIDTH else f"{event.what[: _WIDTH - 3]}..."
        yield (
            (f"    {max(now - event.when, 0.0):8.2f} s ago  ", "dim"),
            (f"{event.kind}  ", "cyan"),
            (f"{what:<{_WIDTH}}  ", ""),
            (where, "dim"),
        )


def _calls(processes: Collection[int]) -> Mapping[int, tuple[Event, ...]]:
    """The last MPI calls of these processes."""
    from jaxmpi_lint.runtime.ledger.reader import Ledger, live_jobs

    found: dict[int, tuple[Event, ...]] = {}
    for job in live_jobs():
        try:
            ledger = Ledger(str(job.ledger))
            for rank in ledger.snapshot().ranks:
                if rank.process in processes:
                    records = ledger.history(rank.rank, _EVENTS)
                    found[rank.process] = tuple(Event(r.entered, "MPI", wording.record(r), r.site) for r in records)
        except RuntimeError:
            continue  # it has just ended
    return found


def _launches(processes: Collection[int]) -> Mapping[int, tuple[Event, ...]]:
    """The last JAX launches of these processes."""
    from jaxmpi_lint.runtime.reports import launch_table

    found: dict[int, tuple[Event, ...]] = {}
    for job in launch_table.jobs():
        for process in job.processes:
            if process.process in processes:
                records = job.history(process, _EVENTS)
                found[process.process] = tuple(Event(r.when, "JAX", launch_table.name(r), r.site) for r in records)
    return found
