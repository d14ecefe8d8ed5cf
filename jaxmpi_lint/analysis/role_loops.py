"""Loops in which one role awaits commands: their collectives match calls that other ranks make elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.others import may_call
from jaxmpi_lint.library.model import COLLECTIVE_KINDS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.function import FunctionModel
    from jaxmpi_lint.analysis.module import ModuleModel


def role_loop_events(model: ModuleModel) -> frozenset[str]:
    """Operations by which a loop of one role in a module awaits commands, and what it answers with."""
    found: set[str] = set()
    for function in model.functions():
        for block, _, _ in function.branches():
            if is_role_loop(function, block.index):
                found |= _operations_in_loop(function, block.index)
    return frozenset(found)


def is_endless(branch: ir.Branch) -> bool:
    """``while True``."""
    return branch.kind == "while" and isinstance(branch.test, ir.Constant) and bool(branch.test.value)


def is_role_loop(function: FunctionModel, header: int) -> bool:
    """Whether a branch is the header of such a loop.

    It is endless, or runs while a name holds; and some rank is told there what to do by a collective from a root, to
    which nothing in the loop contributes: whoever is the root sends from somewhere else. That cannot be if all come to
    the loop, or if the others visibly make no such call any more.
    """
    branch = function.ir.blocks[header].terminator
    if not isinstance(branch, ir.Branch) or branch.kind != "while":
        return False
    if not is_endless(branch) and not isinstance(branch.test, ir.Name):
        return False
    body = _body(function, header, branch)
    awaited = {
        bound.operation.event
        for index in body
        for call in _calls(function, index)
        if _awaits(function, call, body) and (bound := function.bound(call)) is not None and bound.operation is not None
    }
    if not awaited or function.project.call_sites.everybody.comes_to(function, header):
        return False
    return may_call(function, header, awaited)


def _body(function: FunctionModel, header: int, branch: ir.Branch) -> set[int]:
    """The blocks from which a path leads back to the header, without leaving what is reached by way of it alone."""
    graph = function.graph
    inside = graph.reachable(branch.when_true, header) - graph.reachable(0, header)
    found: set[int] = set()
    stack = [header]
    while stack:
        for source in graph.predecessors[stack.pop()]:
            if source in inside and source not in found:
                found.add(source)
                stack.append(source)
    return {index for index in found if function.flow.entries[index] is not None}


def _calls(function: FunctionModel, index: int) -> list[ir.Call]:
    return [
        step.expression
        for step in function.ir.blocks[index].steps
        if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call)
    ]


def _awaits(function: FunctionModel, call: ir.Call, body: set[int]) -> bool:
    """Whether a call gets something from a root that is not computed in the loop."""
    bound = function.bound(call)
    if bound is None or bound.operation is None or bound.operation.kind not in COLLECTIVE_KINDS:
        return False
    operation = bound.operation
    if operation.root is None or operation.event.lower().lstrip("i") not in ("bcast", "scatter", "scatterv"):
        return False
    sent = bound.argument(operation.sends[0]) if operation.sends else None
    if sent is None or isinstance(sent, ir.Constant):
        return True
    names = {node.id for node in ir.walk(sent) if isinstance(node, ir.Name)}
    return bool(names) and not names & _computed(function, call, body)


def _computed(function: FunctionModel, call: ir.Call, body: set[int]) -> set[str]:
    """Names that the loop gives a value, but for the one that holds what the call returns."""
    found: set[str] = set()
    for index in body:
        for step in function.ir.blocks[index].steps:
            if isinstance(step, ir.Assign) and not (isinstance(step.value, ir.Call) and step.value.span == call.span):
                found |= {node.id for target in step.targets for node in ir.walk(target) if isinstance(node, ir.Name)}
            elif isinstance(step, ir.AugmentedAssign):
                found |= {node.id for node in ir.walk(step.target) if isinstance(node, ir.Name)}
    return found


def _operations_in_loop(function: FunctionModel, header: int) -> set[str]:
    branch = function.ir.blocks[header].terminator
    assert isinstance(branch, ir.Branch)
    return {
        event.label[0]
        for index in _body(function, header, branch)
        for event in function.block_events(index)
        if not event.opaque
    }
