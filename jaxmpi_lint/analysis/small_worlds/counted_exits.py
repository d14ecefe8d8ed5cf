"""Loops that a counter ends in their second iteration at the latest: ``n += 1`` and ``if n >= 2: break``.

Code after such a test is reached once, so nothing that a process does there separates it from the next iteration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.rank_facts import COMPARISONS
from jaxmpi_lint.analysis.small_worlds.counters import counter_of

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_PASSES = 2


def is_cut_off(function: Function, start: int, target: int) -> bool:
    """Whether a block comes after a test, and any path from there to another one by that test again, which ends it."""
    for block, branch, _ in function.branches():
        inside = _loop_around(function, branch)
        if inside is None or target in _around(function, start, block.index):
            continue
        if _is_behind(function, start, block.index, inside) and _ends_in_second_pass(
            function, block.index, branch, inside
        ):
            return True
    return False


def _around(function: Function, start: int, test: int) -> set[int]:
    """The blocks reachable from a block on paths without the test."""
    return {block for after in function.graph.successors[start] for block in function.graph.reachable(after, test)}


def _loop_around(function: Function, branch: ir.Branch) -> tuple[int, ir.Branch] | None:
    """The ``while`` around an ``if``, with its block, if no other loop is nearer."""
    loops = function.loops_around(branch.span) if branch.kind == "if" else []
    return (loops[0][0].index, loops[0][1]) if loops and loops[0][1].kind == "while" else None


def _is_behind(function: Function, block: int, test: int, loop: tuple[int, ir.Branch]) -> bool:
    """Whether a block of the loop's body is reached by way of the test only."""
    header, branch = loop
    body = function.graph.reachable(branch.when_true, header)
    return block in body and block not in function.graph.reachable(branch.when_true, test)


def _ends_in_second_pass(function: Function, test: int, branch: ir.Branch, loop: tuple[int, ir.Branch]) -> bool:
    match branch.test:
        case ir.Comparison(operands=(ir.Name(id=name), ir.Constant(value=int(limit))), operators=(compared,)):
            counter = counter_of(function, name, test, loop)
            if counter is None or not counter.is_counted_first or compared not in COMPARISONS:
                return False
            left_if_true = loop[0] not in function.graph.reachable(branch.when_true)
            left_if_false = loop[0] not in function.graph.reachable(branch.when_false)
            outcomes = [COMPARISONS[compared](value, limit) for value in counter.values(_PASSES)]
            return (left_if_true and any(outcomes)) or (left_if_false and not all(outcomes))
    return False
