"""Loops over all ranks in which each of them has its turn: ``for i in range(size): if i == rank: comm.Barrier()``.

Every rank makes the calls of its turn once. They do not order the turns, but they match.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import RankOf, SizeOf
from jaxmpi_lint.analysis.lattice.trace import Evidence

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.candidates import Candidate
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Communicator, Environment


def turn_of_each(candidate: Candidate) -> Evidence | None:
    """The test of the turn, if nothing else in the loop communicates and nothing ends it early."""
    function, test = candidate.function, candidate.branch.test
    if not isinstance(test, ir.Comparison) or test.operators != ("==",):
        return None
    env = function.flow.environment_before(candidate.block, None)
    for name, rank in (test.operands, test.operands[::-1]):
        entity = function.value(rank, env).entity
        if not isinstance(name, ir.Name) or not isinstance(entity, RankOf):
            continue
        for header, loop in function.loops_around(candidate.branch.span):
            if name.id not in _variables(function, loop) or _size_of(function, loop, env) != entity.communicator:
                continue
            inside = function.graph.reachable(loop.when_true, header.index) - {header.index}
            is_left = not inside.isdisjoint({loop.when_false, function.graph.exit})
            if not is_left and _changes(function, inside, name.id) == 1 and _is_alone(candidate, inside):
                return candidate.at_branch("each rank takes this side in one iteration")
    return None


def _variables(function: Function, loop: ir.Branch) -> set[str]:
    steps = (step for step in function.ir.blocks[loop.when_true].steps if isinstance(step, ir.Assign))
    own = (step for step in steps if isinstance(step.value, ir.Element) and step.value.span == loop.test.span)
    return {target.id for step in own for target in step.targets if isinstance(target, ir.Name)}


def _size_of(function: Function, loop: ir.Branch, env: Environment) -> Communicator | None:
    """The communicator of which a loop passes all ranks: ``range(size)`` or ``range(0, size)``."""
    match loop.test:
        case ir.Element(iterable=ir.Call(func=ir.Name(id="range"), args=(end,))):
            pass
        case ir.Element(iterable=ir.Call(func=ir.Name(id="range"), args=(begin, end))):
            if not isinstance(begin.value, ir.Constant) or begin.value.value != 0:
                return None
        case _:
            return None
    size = function.value(end.value, env).entity
    return size.communicator if isinstance(size, SizeOf) else None


def _changes(function: Function, inside: frozenset[int], name: str) -> int:
    """How many steps of a loop assign a name."""
    steps = (step for block in inside for step in function.ir.blocks[block].steps)
    changed = (_targets(step) for step in steps if isinstance(step, (ir.Assign, ir.AugmentedAssign)))
    nodes = (set(_names(targets)) for targets in changed)
    return sum(name in found for found in nodes)


def _names(targets: tuple[ir.Expression, ...]) -> Iterator[str]:
    return (node.id for target in targets for node in ir.walk(target) if isinstance(node, ir.Name))


def _targets(step: ir.Assign | ir.AugmentedAssign) -> tuple[ir.Expression, ...]:
    return (step.target,) if isinstance(step, ir.AugmentedAssign) else tuple(step.targets)


def _is_alone(candidate: Candidate, inside: frozenset[int]) -> bool:
    """Whether the loop communicates in the turns only."""
    turn = candidate.function.graph.reachable(candidate.branch.when_true, candidate.meeting) - {candidate.meeting}
    return not any(candidate.scope.function_events.events(block) for block in inside - turn)
