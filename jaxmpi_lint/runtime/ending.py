"""What is judged once, when every rank has come to the end of its program, or to its own end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jaxmpi_lint.runtime import buffering, rolling
from jaxmpi_lint.runtime.book import Wishes
from jaxmpi_lint.runtime.finding import Finding
from jaxmpi_lint.runtime.judging import History
from jaxmpi_lint.runtime.leaving import vanished
from jaxmpi_lint.runtime.snapshot import Rank, Record, Snapshot
from jaxmpi_lint.runtime.waitfor import analyse

_MOST_RECORDS = 60_000  # of all ranks together: more would keep the job waiting for the replay
_IN_GOOD_ORDER = frozenset({"finalizing", "finalized"})
_KILLED_TOGETHER = "all ranks died at about the same time: if the job was killed as a whole, nobody is at fault here"


def judge(snapshot: Snapshot, history: History, wishes: Wishes) -> list[Finding]:
    """Collectives that differed unseen, and reliance on buffering."""
    ended = [rank.rank for rank in snapshot.ranks if rank.state in _IN_GOOD_ORDER]
    found = list(rolling.diverged(snapshot, history, ended))
    if wishes.buffering != "off" and not snapshot.channels_overflow:
        found += buffering.reliances(snapshot, _histories(snapshot, history), wishes.buffering == "error")
    return found


def _histories(snapshot: Snapshot, history: History) -> dict[int, Sequence[Record]]:
    """The newest calls of every rank; none if there was no message."""
    if not any(channel.sent for channel in snapshot.channels):
        return {}
    present = [rank.rank for rank in snapshot.ranks if rank.state != "absent"]
    most = max(1, _MOST_RECORDS // max(1, len(present)))
    return {rank: history(rank)[-most:] for rank in present}


def killed(snapshot: Snapshot, first: frozenset[int], clear: bool, history: History) -> list[Finding]:
    """Who was waiting for the ranks that died first, as the others stood when they were killed in their turn."""
    from jaxmpi_lint.runtime import deadlocks

    waiting = {rank.rank for rank in snapshot.ranks if any(thread.activity == "blocked" for thread in rank.threads)}
    first = first - waiting or first  # several died at once: those that waited for others are not the cause

    def as_it_was(rank: Rank) -> Rank:
        return replace(rank, state="running", alive=True) if vanished(rank) and rank.rank not in first else rank

    before = replace(snapshot, ranks=tuple(as_it_was(rank) for rank in snapshot.ranks))
    knot = analyse(before) or analyse(before, possible=True)
    if knot is None or not set(knot.left) & first:
        return []
    found = [one for one in deadlocks.judge(knot, before, history) if set(one.ranks) & first]
    if clear:
        return found
    return [replace(one, error=False, notes=(*one.notes, _KILLED_TOGETHER)) for one in found]
