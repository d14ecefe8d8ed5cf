"""Answers that all ranks combine before each of them tests its own: the ranks leave together all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.divergence.candidates import Candidate
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.trace import Evidence
from jaxmpi_lint.library.model import COLLECTIVE_KINDS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_COMBINES = frozenset({"allreduce", "allgather", "Allreduce", "Allgather"})


def combined_answer(candidate: Candidate) -> Evidence | None:
    """A later test of the combined answers that leaves the loop as well, or the function.

    In ``if found: return`` and ``if any_found: return`` with ``any_found = comm.allreduce(found)`` before them, a rank
    that has found nothing leaves by the second test in the same pass.
    """
    function, graph = candidate.function, candidate.function.graph
    tested = _names(candidate.branch.test)
    combined = {name for name, block in _combined(function, tested) if candidate.block in graph.reachable(block)}
    starts = (candidate.branch.when_true, candidate.branch.when_false)
    after = frozenset().union(*(graph.reachable(start, candidate.block) for start in starts))
    for block, branch, _ in function.branches() if combined else ():
        if block.index == candidate.block or block.index not in after or not _asks_for_any(branch.test, combined):
            continue
        sides = (graph.reachable(start) for start in (branch.when_true, branch.when_false))
        if sum(candidate.block in side for side in sides) < 2:
            return Evidence("the answers of all ranks are tested here", Place(function.module, branch.test.span))
    return None


def _asks_for_any(test: ir.Expression, combined: set[str]) -> bool:
    """Whether a test asks if there is any such answer: of nothing else, and not for a number of them."""
    constants = [node.value for node in ir.walk(test) if isinstance(node, ir.Constant)]
    return bool(_names(test) & combined) and all(one in (0, 1) for one in constants)


def _names(expression: ir.Expression) -> set[str]:
    return {node.id for node in ir.walk(expression) if isinstance(node, ir.Name)}


def _combined(function: Function, tested: set[str]) -> list[tuple[str, int]]:
    """The names bound to what a collective makes of the tested values of all ranks, with their blocks."""
    calls = {
        bound.call.span
        for bound in function.operation_calls
        if bound.operation is not None
        and bound.operation.kind in COLLECTIVE_KINDS
        and bound.operation.method in _COMBINES
        and any(_names(argument.value) & tested for argument in bound.call.args)
    }
    return [
        (target.id, block.index)
        for block in function.ir.blocks
        for step in block.steps
        if isinstance(step, ir.Assign) and isinstance(step.value, ir.Call) and step.value.span in calls
        for target in step.targets
        if isinstance(target, ir.Name)
    ]
