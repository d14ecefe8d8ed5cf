"""Calls that MPI itself refused: the program did not handle the error, and the ranks ended by it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging.exits import last_call, last_line, left_sides
from jaxmpi_lint.runtime.judging.mismatches import History
from jaxmpi_lint.runtime.ledger.snapshot import Rank, Snapshot

CODE = "JS304"
_EXCEPTION = "mpi4py.MPI.Exception"


def words(rank: Rank, history: History) -> str | None:
    """What MPI said of the call that ended a rank, with the call; None if it was not MPI that refused it."""
    kind, _, text = last_line(rank.farewell).partition(":")
    call = last_call(rank, history)
    if not rank.raised or kind != _EXCEPTION or call is None or call.result == 0:
        return None
    name = wording.method(call.label) if call.label else wording.spelled(call.function, call.site)
    return f"{name}: {text.strip()}"


def message(ranks: Sequence[Rank], history: History) -> str | None:
    """``MPI refused a call of rank 1, which ended by it (bcast: MPI_ERR_ROOT: invalid root)``; None if it did not."""
    said = [words(rank, history) for rank in ranks]
    if not said or None in said:
        return None
    numbers = [rank.rank for rank in ranks]
    ended = wording.verb(numbers, "a call of {}, which ended by it", "calls of {}, which ended by them")
    return f"MPI refused {ended.format(wording.ranks(numbers))} ({'; '.join(sorted({str(one) for one in said}))})"


def unawaited(snapshot: Snapshot, history: History) -> list[Finding]:
    """One finding for all ranks that ended by the same refusal, though no other rank waits for them."""
    alike: dict[str, list[Rank]] = defaultdict(list)
    for rank in snapshot.ranks:
        if (text := words(rank, history)) is not None:
            alike[text].append(rank)
    return [
        Finding(
            CODE,
            str(message(ranks, history)),
            tuple(rank.rank for rank in ranks),
            tuple(left_sides(ranks, history)),
            when=snapshot.taken,
        )
        for ranks in alike.values()
    ]
