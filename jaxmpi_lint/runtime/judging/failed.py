"""Collectives that MPI refused on a rank: whether ranks of other hosts entered a different one.

Ranks of one host compare before MPI sees the call. Between hosts MPI may be first: it then reports a truncation, or an
error that says nothing of the cause, and the communicator is not compared any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging.hash_divergence import first_difference, sides
from jaxmpi_lint.runtime.judging.histories import History
from jaxmpi_lint.runtime.ledger.snapshot import Snapshot


def differing(snapshot: Snapshot, history: History, known: set[int]) -> Iterator[Finding]:
    """A finding for each communicator, except those in ``known``, to which what was examined is added."""
    if not snapshot.spans_hosts:
        return
    for communicator in snapshot.communicators:
        if communicator.failed is None or communicator.index in known:
            continue
        entered = [[lane for lane in lanes if lane.count > communicator.failed] for lanes in sides(communicator)]
        if sum(map(len, entered)) < communicator.size:
            continue  # the others have not come there yet
        known.add(communicator.index)
        span = range(communicator.failed, communicator.failed + 1)
        pairs = ((lanes[0], lane) for lanes in entered for lane in lanes[1:])
        found = (first_difference(communicator, pair, snapshot, history, span) for pair in pairs)
        yield from islice(filter(None, found), 1)
