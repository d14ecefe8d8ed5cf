"""Answers that all ranks combine before each of them tests its own: the ranks leave together all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.divergence.candidates import Candidate
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.trace import Evidence

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_ANY = ("SUM", "MAX", "LOR", "BOR")
"""Operators whose result is true if any operand is."""


def combined_answer(candidate: Candidate) -> Evidence | None:
    """The test of the combined answers that follows at once, and leaves the loop or the function as well.

    In ``if found: return`` and ``if any_found: return`` with ``any_found = comm.allreduce(found)`` before them, a rank
    that has found nothing leaves by the second test in the same pass.
    """
    function, graph = candidate.function, candidate.function.graph
    answer = candidate.branch.test
    if not isinstance(answer, ir.Name) or candidate.block in graph.reachable(candidate.branch.when_true):
        return None
    names = {name for name, block in _combined(function, answer.id) if candidate.block in graph.reachable(block)}
    branch = _next_branch(candidate, candidate.branch.when_false) if names else None
    if branch is None:
        return None
    if not _asks_for_any(branch.test, names) or candidate.block in graph.reachable(branch.when_true):
        return None
    return Evidence("the answers of all ranks are tested here", Place(function.module, branch.test.span))


def _next_branch(candidate: Candidate, start: int) -> ir.Branch | None:
    """The branch that follows at once; None if something else does, or a call communicates before it."""
    block = candidate.function.ir.blocks[start]
    while not candidate.scope.function_events.events(block.index):
        match block.terminator:
            case ir.Branch() as branch:
                return branch
            case ir.Jump(target=target) if target > block.index:
                block = candidate.function.ir.blocks[target]
            case _:
                return None
    return None


def _asks_for_any(test: ir.Expression, combined: set[str]) -> bool:
    """Whether a test asks if there is any such answer."""
    match test:
        case ir.Name(id=name):
            return name in combined
        case ir.Comparison(operands=(ir.Name(id=name), ir.Constant(value=bound)), operators=(operator,)):
            return name in combined and (operator, bound) in ((">", 0), (">=", 1), ("!=", 0))
    return False


def _combined(function: Function, answer: str) -> list[tuple[str, int]]:
    """The names bound to whether any rank has an answer, with their blocks."""
    calls = {bound.call.span for bound in function.operation_calls if _is_any(function, bound, answer)}
    return [
        (target.id, block.index)
        for block in function.ir.blocks
        for step in block.steps
        if isinstance(step, ir.Assign) and isinstance(step.value, ir.Call) and step.value.span in calls
        for target in step.targets
        if isinstance(target, ir.Name)
    ]


def _is_any(function: Function, bound: BoundCall, answer: str) -> bool:
    """Whether a call combines the answer of each rank so that one of them is enough."""
    operation = bound.operation
    if operation is None or operation.method != "allreduce" or not bound.call.args:
        return False
    names = {node.id for node in ir.walk(bound.call.args[0].value) if isinstance(node, ir.Name)}
    reduction = bound.argument(operation.reduction)
    text = function.module.source(reduction.span) if reduction is not None else "SUM"
    return answer in names and text.rpartition(".")[2] in _ANY
