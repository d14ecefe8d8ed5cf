"""`Alltoallv` in which each rank expects from every other one as many elements as it sends there.

A rank learns from the others only how much they have for it: ``comm.Alltoall(counts, expected)``. MPI 4.1, section 6.8:
the count that a rank sends to another one must be the count that the other one receives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.displacements import parts
from jaxmpi_lint.interpreter.symbols import freeze, reachable
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective

_COUNTING = frozenset({"bincount", "histogram", "unique", "searchsorted", "count_nonzero", "sum"})
"""Functions that count the data of a rank. Lengths of lists may be those of what two ranks share."""

_DETAIL = "each rank expects as many elements as it sends, which depends on its own data"


def check(present: dict[int, Collective]) -> Fault | None:
    """The first two ranks that count different data and use the same counts for both directions."""
    first = present[min(present)]
    if len(present) == 1 or first.kind.removeprefix("I").lower() != "alltoallv":
        return None
    counts = {number: _both_ways(event) for number, event in sorted(present.items())}
    known = [number for number, one in counts.items() if one is not None]
    if len(known) < len(present):
        return None
    lowest, other = known[0], next((number for number in known if counts[number] != counts[known[0]]), None)
    if other is None:
        return None  # the counts are computed alike, so they may be equal
    return Fault(Kind.UNEXCHANGED, present[lowest], lowest, other, present[other], _DETAIL)


def _both_ways(event: Collective) -> object:
    """The counts of both directions, if they are the same and follow from what a rank counts; otherwise None."""
    given, other = (parts(event.extra.get(side))[0] for side in ("send counts", "receive counts"))
    if given is None or other is None or freeze(given) != freeze(other):
        return None
    sent = freeze(given)
    symbols = reachable(sent)
    words = {word for symbol in symbols for word in symbol.words(0)}
    is_guess = any(symbol.is_guess for symbol in symbols)
    return None if is_guess or words.isdisjoint(_COUNTING) else sent
