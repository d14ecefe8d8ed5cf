"""Numbers of processes with which a block is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import Guard, guards_of_all_ways
from jaxmpi_lint.analysis.conditions.one_rank import Member, OneRank
from jaxmpi_lint.analysis.lattice.lattice import SizeOf

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

ANY_SIZE = frozenset(range(1, 130))
"""Represents all numbers; a test that none of them satisfies requires more processes, and decides nothing."""

_FEW = 16


def possible_sizes(function: Function, block: int) -> frozenset[int]:
    """The world sizes for which all tests of the size lead to a block, those around the calls included."""
    sizes = function.sizes
    for guard in guards_of_all_ways(function, block):
        if not guard.test.content.level.diverges:
            sizes = _passing(function, guard, sizes)
    return sizes


def may_part(function: Function, block: int, test: ir.Expression) -> bool:
    """Whether the test at the end of a block can have different outcomes on the processes."""
    sizes = possible_sizes(function, block)
    if max(sizes, default=0) > _FEW:
        return True
    env = function.flow.environment_before(block, None)
    for size in sizes:
        outcomes = {OneRank(Member(rank, size)).decide(function, test, env) for rank in range(size)}
        if size > 1 and (len(outcomes) > 1 or None in outcomes):
            return True
    return False


def _passing(function: Function, guard: Guard, sizes: frozenset[int]) -> frozenset[int]:
    env = function.flow.environment_before(guard.block, None)
    parts = list(ir.walk(guard.branch.test))
    if not any(isinstance(function.value(part, env).entity, SizeOf) for part in parts):
        return sizes
    outcomes = {size: OneRank(Member(0, size)).decide(function, guard.branch.test, env) for size in ANY_SIZE}
    passing = frozenset(size for size, outcome in outcomes.items() if outcome in (None, guard.truth))
    return sizes & passing if passing else sizes
