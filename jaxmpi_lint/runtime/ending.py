"""What is judged once, when every rank has come to the end of its program."""

from __future__ import annotations

from collections.abc import Sequence

from jaxmpi_lint.runtime import buffering, rolling
from jaxmpi_lint.runtime.book import Wishes
from jaxmpi_lint.runtime.finding import Finding
from jaxmpi_lint.runtime.judging import History
from jaxmpi_lint.runtime.snapshot import Record, Snapshot

_MOST_RECORDS = 60_000  # of all ranks together: more would keep the job waiting for the replay


def judge(snapshot: Snapshot, history: History, wishes: Wishes) -> list[Finding]:
    """Collectives that differed unseen, and reliance on buffering."""
    found = list(rolling.diverged(snapshot, history))
    if wishes.buffering != "off" and not snapshot.channels_overflow:
        found += buffering.reliances(snapshot, _histories(snapshot, history), wishes.buffering == "error")
    return found


def _histories(snapshot: Snapshot, history: History) -> dict[int, Sequence[Record]]:
    """The newest calls of every rank; ranks that sent no message have nothing to add but collectives."""
    sending = {channel.source for channel in snapshot.channels if channel.sent}
    if not sending:
        return {}
    present = [rank.rank for rank in snapshot.ranks if rank.state != "absent"]
    most = max(1, _MOST_RECORDS // max(1, len(present)))
    return {rank: history(rank)[-most:] for rank in present}
