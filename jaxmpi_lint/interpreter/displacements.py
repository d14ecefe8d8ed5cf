"""Counts and displacements that cannot be meant: ends of parts as their starts, different counts for one division.

MPI 4.1, section 6.5: a part starts at its displacement. Section 6.10.2: all ranks pass equal counts to
`Reduce_scatter`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import views
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Library, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective


def check(present: dict[int, Collective]) -> Fault | None:
    """The first such argument."""
    kind = next(iter(present.values())).kind.removeprefix("I").lower()
    if kind == "reduce_scatter":
        return _divided(present)
    for number, event in sorted(present.items()) if kind.endswith("v") else ():
        for side in ("send counts", "receive counts"):
            counts, displacements = parts(event.extra.get(side))
            if counts is not None and _elements(counts) == _summed(displacements):
                detail = "the displacements are the sums of the counts, where each part ends and not where it starts"
                return Fault(Kind.COUNT, event, number, detail=detail)
    return None


def parts(specification: Value) -> tuple[Value, Value]:
    """Counts and displacements of ``[buffer, counts, displacements, datatype]``, where the first two may be a pair."""
    rest = specification[1:] if isinstance(specification, (list, tuple)) else []
    given = [part for part in rest if not isinstance(part, Library)]
    if given and isinstance(given[0], tuple) and any(isinstance(part, (list, tuple, Array)) for part in given[0]):
        given = list(given[0])
    known = [part if isinstance(part, (list, tuple, Array)) else None for part in given[:2]]
    counts, displacements = (*known, None, None)[:2]
    return counts, displacements


def _elements(value: Value) -> object:
    """The numbers in a list or an array, or what an array of unknown numbers is computed from."""
    if isinstance(value, (list, tuple)):
        return tuple(map(freeze, value))
    cells = value.cells
    return freeze(value.store.symbol) if cells is None else tuple(map(freeze, cells))


def _summed(displacements: Value) -> object:
    """The elements whose sums the displacements are; None for other displacements."""
    symbol = displacements.store.symbol if isinstance(displacements, Array) and displacements.is_whole else None
    if symbol is None:
        return None
    match symbol.key:
        case (("str", "call"), ("library", "numpy.cumsum"), ("list" | "tuple", *items), _):
            return tuple(items)
        case (("str", "call"), ("library", "numpy.cumsum"), ("array", _, _, Symbol() | tuple() as content, None), _):
            return content
    return None


def _divided(present: dict[int, Collective]) -> Fault | None:
    """The first two ranks that divide the result of `Reduce_scatter` differently."""
    known = {number: _numbers(event.extra.get("counts")) for number, event in sorted(present.items())}
    lowest = min(known)
    for number, counts in known.items():
        if counts is not None and known[lowest] is not None and counts != known[lowest]:
            detail = f"counts {list(known[lowest] or ())} and {list(counts)}"
            return Fault(Kind.COUNT, present[lowest], lowest, number, present[number], detail)
    return None


def _numbers(counts: Value) -> tuple[int, ...] | None:
    found = views.lengths(counts) if isinstance(counts, (list, tuple, Array)) else None
    return None if found is None else tuple(found)
