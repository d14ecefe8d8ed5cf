"""Checks that are made once, when every rank has reached the end of its program or has died."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging import buffering, deaths, failed, hash_divergence, message_contents, unreceived
from jaxmpi_lint.runtime.judging.between_hosts import BetweenHosts
from jaxmpi_lint.runtime.judging.deaths import Verdict
from jaxmpi_lint.runtime.judging.exact import ExactComparison
from jaxmpi_lint.runtime.judging.exits import departure, in_number, killed_notes, left_sides, vanished
from jaxmpi_lint.runtime.judging.histories import History
from jaxmpi_lint.runtime.judging.wait_for_graph import analyse
from jaxmpi_lint.runtime.ledger.snapshot import Rank, Record, Snapshot
from jaxmpi_lint.runtime.settings.monitor_options import MonitorOptions

_MOST_RECORDS = 60_000  # of all ranks together: the job waits for the replay
_MOST_OF_HOSTS = 8_000  # where they come over a network
_LEAST_OF_HOSTS = 16  # of each rank; of so many ranks that fewer would be read, none are
_IN_GOOD_ORDER = frozenset({"finalizing", "finalized"})
_KILLED_TOGETHER = (
    "probable, but not proven: all ranks died at about the same time; "
    "if the job was killed as a whole, no rank is at fault"
)


def judge(
    snapshot: Snapshot, history: History, wishes: MonitorOptions, between: BetweenHosts | None = None
) -> list[Finding]:
    """Mismatched collectives that were not detected earlier, unreceived messages, and reliance on buffering."""
    ended = [rank.rank for rank in snapshot.ranks if rank.state in _IN_GOOD_ORDER]
    if between is not None:
        snapshot = between.completed(snapshot)
    known: set[int] = set()
    found = list(hash_divergence.diverged(snapshot, history, ended, known))
    found += failed.differing(snapshot, history, known)
    if between is not None:
        found += between.differing(snapshot, history, ended, set(), final=True)
    found += unreceived.between_hosts(snapshot, frozenset(ended))
    replayed = wishes.buffering != "off" and not snapshot.channels_overflow
    histories = histories_of(snapshot, history) if replayed or snapshot.spans_hosts else {}
    found += message_contents.differing(snapshot, histories)
    if replayed:
        found += buffering.reliances(snapshot, histories, wishes.buffering == "error")
    return found


def histories_of(snapshot: Snapshot, history: History) -> dict[int, Sequence[Record]]:
    """The latest calls of every rank; none if there was no message, or if many hosts would have to be asked."""
    if not any(channel.sent for channel in snapshot.channels):
        return {}
    present = [rank.rank for rank in snapshot.ranks if rank.state != "absent"]
    together = _MOST_OF_HOSTS if snapshot.spans_hosts else _MOST_RECORDS
    most = max(1, together // max(1, len(present)))
    if snapshot.spans_hosts and most < _LEAST_OF_HOSTS:
        return {}
    return {rank: history(rank)[-most:] for rank in present}


def mismatched(snapshot: Snapshot, history: History) -> list[Finding]:
    """Collectives that differ between hosts, of a job that has died: MPI may have failed in them."""
    if not snapshot.spans_hosts:
        return []
    dead = [rank.rank for rank in snapshot.ranks if vanished(rank)]
    found = list(hash_divergence.diverged(snapshot, history, dead))
    return found or list(ExactComparison().look(snapshot, history, dead, final=True))


def killed(snapshot: Snapshot, verdict: Verdict, history: History) -> list[Finding]:
    """Ranks that waited for the ranks that died first, in the state in which they were killed afterwards."""
    if verdict.outside:
        return []
    first = verdict.first
    if not verdict.proven:  # all died at about the same time: ranks that waited for others are not the cause
        gone = {rank.rank for rank in snapshot.ranks if vanished(rank)}
        first = frozenset(gone - _waiting(snapshot)) or first
    found = _waited_for(first, snapshot, history)
    if not verdict.proven:
        return [replace(one, error=False, notes=(*one.notes, _KILLED_TOGETHER)) for one in found]
    return found or _took_along(first, snapshot, history)


def abort(snapshot: Snapshot) -> str:
    """Which ranks called Abort: the others end because of it."""
    by_way: dict[str, list[int]] = defaultdict(list)
    for rank in snapshot.ranks:
        if rank.state == "aborted":
            by_way[departure(rank)].append(rank.rank)
    return "; ".join(f"{wording.ranks(ranks)} {in_number(way, ranks)}" for way, ranks in by_way.items())


def how_it_ended(snapshot: Snapshot, verdict: Verdict) -> str:
    """How a job ended in which ranks died, if no rank is at fault."""
    dead = [rank for rank in snapshot.ranks if vanished(rank)]
    if verdict.outside:
        signals = sorted({deaths.request(rank.exit_status) for rank in dead} - {""})
        return f"the job was asked to end by {wording.joined(signals)}" if signals else "the job was killed as a whole"
    ways: dict[str, list[int]] = defaultdict(list)
    for rank in dead:
        if rank.rank in verdict.first or not verdict.proven:
            ways[departure(rank)].append(rank.rank)
    said = [f"{wording.ranks(ranks)} {in_number(way, ranks)}" for way, ranks in ways.items()]
    return "; ".join(said) or "ranks died"


def _waiting(snapshot: Snapshot) -> set[int]:
    return {rank.rank for rank in snapshot.ranks if any(thread.activity == "blocked" for thread in rank.threads)}


def _waited_for(first: frozenset[int], snapshot: Snapshot, history: History) -> list[Finding]:
    from jaxmpi_lint.runtime.judging import deadlocks

    def as_it_was(rank: Rank) -> Rank:
        return replace(rank, state="running", alive=True) if vanished(rank) and rank.rank not in first else rank

    before = replace(snapshot, ranks=tuple(as_it_was(rank) for rank in snapshot.ranks))
    knot = analyse(before) or analyse(before, possible=True)
    if knot is None or not set(knot.left) & first:
        return []
    return [one for one in deadlocks.judge(knot, before, history) if set(one.ranks) & first]


def _took_along(first: frozenset[int], snapshot: Snapshot, history: History) -> list[Finding]:
    """A finding if the job was ended because ranks died for which no rank waited yet."""
    dead = [rank for rank in snapshot.ranks if vanished(rank) or rank.rank in first]
    causes = [rank for rank in dead if rank.rank in first]
    others = [rank for rank in dead if rank.rank not in first]
    if all(deaths.alone(rank.exit_status) for rank in others):
        return []
    ways = in_number("; ".join(list(dict.fromkeys(departure(rank) for rank in causes))[:3]), causes)
    message = f"{wording.ranks(first)} ended ({ways}), and the job was ended because of it before other ranks waited"
    ended = [
        replace(side, odd=False, remark=f"{side.remark} after {wording.ranks(first)}")
        for side in left_sides(others, history)
    ]
    sides = (*ended, *left_sides(causes, history))
    notes = tuple(killed_notes(causes))
    return [Finding("JS108", message, tuple(rank.rank for rank in dead), sides, notes=notes, when=snapshot.taken)]
