"""Why a rank that waits in MPI may still release others: Python threads of it that are elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol, runtime_checkable

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.judging import stacks
from jaxmpi_lint.runtime.ledger import excerpt
from jaxmpi_lint.runtime.ledger.interface import LedgerReader

Threads = Mapping[int, Collection[int]]
"""The threads of each world rank that are known to wait, by their kernel ids."""

_SILENT = 4  # ranks of a host that do not respond, after which the rest of them is not asked


@runtime_checkable
class SeveralHosts(Protocol):
    """A ledger whose hosts ask their ranks at the same time."""

    def doubts(self, known: Threads, seconds: float) -> dict[int, str]:
        """See `of`."""
        ...


def of(book: LedgerReader, known: Threads, seconds: float) -> dict[int, str]:
    """Ranks with other Python threads than those known to wait, or that do not respond in so many seconds."""
    return book.doubts(known, seconds) if isinstance(book, SeveralHosts) else of_this_host(book, known, seconds)


def of_this_host(book: LedgerReader, known: Threads, seconds: float) -> dict[int, str]:
    """The same for ranks of one host."""
    found, silent = dict[int, str](), 0
    for rank, threads in sorted(known.items()):
        if silent == _SILENT:
            found[rank] = "was not asked for its stacks, because others did not respond"
            continue
        text = book.ask_stacks(rank, seconds)
        if text is None:
            silent += 1
            found[rank] = "does not respond to a request for its stacks"
            continue
        free = [one for one in stacks.parse(text) if one.kernel_id not in threads]
        if free:
            where = f", one of them at {excerpt.place(free[0].frames[0])}" if free[0].frames else ""
            found[rank] = f"has {wording.plural(len(free), 'Python thread')} outside these calls{where}"
    return found
