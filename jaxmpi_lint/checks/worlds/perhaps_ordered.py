"""Accesses to files that a world shows without order, since it leaves out what may order them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.participation.ordering_calls import OrderingCalls
from jaxmpi_lint.interpreter.certainty import Found
from jaxmpi_lint.interpreter.events import Place
from jaxmpi_lint.interpreter.turns import Turn

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Program as Project


def is_perhaps_ordered(project: Project, found: Found) -> bool:
    """Whether a call between the two accesses may order the ranks, but this world has nothing to do for it.

    It is in a loop without items, or under a test of values that are not known.
    """
    other = found.fault.other
    shared = _shared_part(found.fault.place, other.place) if other is not None else None
    model = project.module(shared[0].path) if shared is not None else None
    if shared is None or model is None:
        return False
    module, start, end = shared
    for turn in _left_out(found, module):
        assert turn.branch is not None
        first, last = turn.branch.extent
        spans = model.function(turn.frame.function.qualname).get(OrderingCalls).by_block.values()
        if any(max(start, first) <= span[0] < min(end, last) for ones in spans for span in ones):
            return True
    return False


def _shared_part(one: Place, other: Place) -> tuple[ir.Module, int, int] | None:
    """The text between two places, in the outermost function where the ways to them differ."""
    mine, others = ([*place.calls, (place.module, place.span)] for place in (one, other))
    for first, second in zip(mine, others, strict=False):
        if first == second:
            continue
        if first is None or second is None or first[0] is not second[0]:
            return None
        (_, end), (start, _) = sorted((first[1], second[1]))
        return first[0], end, start
    return None


def _left_out(found: Found, module: ir.Module) -> Iterator[Turn]:
    """The loops without items, and the branches that are not known, on the ways of the two ranks in a module."""
    for rank in (found.fault.rank, found.fault.other_rank):
        turns = found.world.processes[rank].rank.turns if rank is not None and rank >= 0 else []
        entered = {turn.key[:2] for turn in turns if turn.outcome}
        for turn in turns:
            if turn.branch is None or turn.module is not module:
                continue
            is_empty = turn.branch.kind == "for" and turn.key[:2] not in entered
            if is_empty or (turn.asked and found.certainty < 3):
                yield turn
