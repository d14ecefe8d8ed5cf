"""How a rank left, in words, and where it was last seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxmpi_lint.runtime import wording
from jaxmpi_lint.runtime.finding import Side
from jaxmpi_lint.runtime.snapshot import Rank, Record, Site

_LONGEST = 120


def departure(rank: Rank) -> str:
    """``raised ValueError: no data``, ``exited with status 3``, ``was killed``, ``reached MPI_Finalize``."""
    if rank.raised:
        return f"raised {_last_line(rank.farewell)}"
    if rank.state == "aborted":
        return f"called Abort({rank.exit_status})" if rank.exit_status is not None else "called Abort"
    if vanished(rank):
        return "was killed or ended without a word"
    if rank.exit_status:
        return f"exited with status {rank.exit_status}"
    if rank.state == "exited":
        return "ended without MPI_Finalize"
    return "came to the end of its program"


def vanished(rank: Rank) -> bool:
    """Whether a rank ended without a word."""
    return rank.state == "vanished" or (not rank.alive and rank.state in ("running", "finalizing"))


def left_side(rank: Rank, history: Callable[[int], Sequence[Record]]) -> Side:
    """A rank that left, with its last MPI call and its traceback."""
    records = [entry for entry in history(rank.rank) if entry.function != "MPI_Finalize"]
    last = records[-1] if records else None
    call = f"last call: {wording.record(last)}" if last else ""
    return Side((rank.rank,), call, last.site if last else _site(rank), departure(rank), True, rank.farewell.strip())


def _site(rank: Rank) -> Site | None:
    return next((thread.site for thread in rank.threads if thread.site is not None), None)


def _last_line(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    last = lines[-1].strip() if lines else "an exception"
    return last if len(last) <= _LONGEST else last[: _LONGEST - 3] + "..."
