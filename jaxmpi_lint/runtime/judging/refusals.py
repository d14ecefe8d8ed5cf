"""Calls that MPI itself refused: the program did not handle the error, and the ranks ended by it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.judging.exits import cause, last_call, last_line, left_sides, raised_in
from jaxmpi_lint.runtime.judging.histories import History
from jaxmpi_lint.runtime.ledger.snapshot import Rank, RawFinding, Snapshot

CODE = "JS304"
_EXCEPTION = "mpi4py.MPI.Exception"
_METHOD = re.compile(r"^mpi4py\.MPI\.(?:\w+\.)*(\w+)$")


def at_the_call(raw: RawFinding) -> Finding:
    """A call that was refused where errors end the process, reported by its rank."""
    name, _, said = raw.text.partition(": ")
    known = wording.spelled(name, raw.site) if name.startswith("MPI_") else ""
    text = f"rank {raw.rank}: MPI refused {known or 'a call'} ({cause(said)}), which ends the job"
    return Finding(CODE, text, (raw.rank,), (Side((raw.rank,), known, raw.site),), when=raw.when)


def words(rank: Rank, history: History) -> str | None:
    """What MPI said of the call that ended a rank, with the call; None if it was not MPI that refused it."""
    kind, _, text = last_line(rank.farewell).partition(":")
    if not rank.raised or kind != _EXCEPTION or (name := _refused(rank, history)) is None:
        return None
    return f"{name}: {text.strip()}"


def _refused(rank: Rank, history: History) -> str | None:
    """The call that raised the exception; None if it was the program."""
    call = last_call(rank, history)
    if call is not None and call.result != 0:
        return wording.method(call.label) if call.label else wording.spelled(call.function, call.site)
    methods = [found[1] for function in raised_in(rank.farewell) if (found := _METHOD.match(function))]
    return methods[0] if methods else None  # what is called on MPI_COMM_NULL is not recorded


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
