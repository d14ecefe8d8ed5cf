"""Whether worlds show that ranks which part at a branch make the same collectives nevertheless."""

from __future__ import annotations

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.exploration import agrees
from jaxmpi_lint.interpreter.explored import Explored
from jaxmpi_lint.interpreter.program import Program
from jaxmpi_lint.interpreter.sizes import LARGEST, SIZES
from jaxmpi_lint.interpreter.verdicts import ARGUMENTS, FILES, STALE, Fault, Kind

Place = tuple[str, ir.Span]
"""The path of a file and a span."""

_WITHOUT_COLLECTIVES = FILES | STALE | {Kind.BUFFERING, Kind.UNMATCHED_SEND, Kind.REQUEST}
"""Faults of worlds that were followed to their end, with all collectives matched."""


def refutes(explored: Explored, places: set[Place]) -> bool:
    """Whether ranks part at the branch of a finding, meet its collective, and match it in every world.

    ``places`` are those of the finding. A different fault may end a world; it must be after them.
    """
    if not places & explored.parted or not explored.followed.issuperset(SIZES):
        return False
    return _is_right(explored, places)


MORE_SIZES = frozenset({5, 7, 11})
"""Further numbers of ranks, which do not divide the usual numbers of items."""


def shows_no_difference(program: Program, explored: Explored, places: set[Place]) -> bool:
    """Whether the ranks never part at the branch of a finding, meet its collective, and match it in every world.

    Where the test is about equal values on all ranks, worlds with further outcomes of it need not be followed.
    """
    tests = explored.tests
    if places & tests.unlike:
        return False
    is_same = _in_all_sizes(tests.same, places) and not places & tests.different
    is_alike = _in_all_sizes(tests.alike, places) and explored.followed.issuperset(SIZES)
    if not (is_same or is_alike) or not _is_right(explored, places):
        return False
    threshold = max(explored.thresholds, default=0)
    if threshold > LARGEST:
        return False
    sizes = MORE_SIZES | ({threshold + 1, threshold + 2} if threshold > SIZES[-1] else set())
    return all(agrees(program, explored, size, places) for size in sorted(sizes))


def _in_all_sizes(found: dict[int, set[Place]], places: set[Place]) -> bool:
    return all(places & found.get(size, set()) for size in SIZES)


def _is_right(explored: Explored, places: set[Place]) -> bool:
    """Whether no world is cut, and only faults that say nothing of a finding are in them.

    The collective is met, or the function that holds it is called and needs none, since it keeps an earlier result.
    """
    if explored.failure or any(verdict.world.size in SIZES for verdict in explored.cuts):
        return False
    is_met = places & explored.met or (explored.met and places & explored.called)
    return bool(is_met) and all(_is_of_its_own(found.fault, places) for found in explored.found)


def _is_of_its_own(fault: Fault, places: set[Place]) -> bool:
    """Whether a fault says nothing about the collectives of a finding."""
    if (fault.place.module.path, fault.place.span) in places:
        return False
    return fault.kind in _WITHOUT_COLLECTIVES or (fault.kind in ARGUMENTS and _is_after(fault, places))


def _is_after(fault: Fault, places: set[Place]) -> bool:
    """Whether all ranks are in one collective, after the places in the same function, which it does not lead back to.

    Until there, the ranks have matched every collective.
    """
    path, span = fault.place.module.path, fault.place.span
    if any(other != path for other, _ in places):
        return False
    for function in fault.place.module.functions.values():
        ends = {index for index, _, call in function.placed_calls() if call.span == span}
        if ends:
            return not any(_leads_to(function, end, places) for end in ends) and _holds(function, places)
    return False


def _holds(function: ir.Function, places: set[Place]) -> bool:
    return all(function.span[0] <= span[0] and span[1] <= function.span[1] for _, span in places)


def _leads_to(function: ir.Function, start: int, places: set[Place]) -> bool:
    """Whether a block leads to one of the places, on whatever path."""
    wanted = {span for _, span in places}
    seen, stack = {start}, [start]
    while stack:
        block = function.blocks[stack.pop()]
        spans = {step.span for step in block.steps} | {block.terminator.span}
        calls = {step.expression.span for step in block.steps if isinstance(step, ir.Evaluate)}
        if (spans | calls) & wanted:
            return True
        new = {*block.successors, *block.handlers} - seen
        seen |= new
        stack += new
    return False
