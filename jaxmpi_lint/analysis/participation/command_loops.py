"""Command loops of one role: their collectives match calls that other ranks make elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.participation.common_reachability import CommonReachability
from jaxmpi_lint.analysis.participation.remaining_processes import may_call
from jaxmpi_lint.library.model import COLLECTIVE_KINDS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module, Program

_MEMORY = frozenset({"bytearray", "empty", "empty_like", "zeros", "zeros_like"})


class RoleLoops:
    """The command loops of one role in the modules of a project."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._known: dict[str, frozenset[str]] = {}

    def operations(self, path: str) -> frozenset[str]:
        """Operations with which a command loop in a module waits for commands and answers them."""
        if path not in self._known:
            model = self._project.module(path)
            self._known[path] = _operations(model) if model is not None else frozenset()
        return self._known[path]


def _operations(model: Module) -> frozenset[str]:
    found: set[str] = set()
    for function in model.functions():
        for block, _, _ in function.branches():
            if is_role_loop(function, block.index):
                found |= _operations_in_loop(function, block.index)
    return frozenset(found)


def is_endless(branch: ir.Branch) -> bool:
    """``while True``."""
    return branch.kind == "while" and isinstance(branch.test, ir.Constant) and bool(branch.test.value)


def is_role_loop(function: Function, header: int) -> bool:
    """Whether a branch is the header of such a loop.

    It is endless, or runs while a name holds; and it has a collective with a root to which nothing in the loop
    contributes: the root sends from somewhere else. This is excluded if all processes reach the loop, or if the others
    provably make no such call afterwards.
    """
    branch = function.ir.blocks[header].terminator
    if not isinstance(branch, ir.Branch) or branch.kind != "while":
        return False
    if not is_endless(branch) and ir.dotted(branch.test) is None:
        return False
    body = _body(function, header, branch)
    awaited = {
        bound.operation.event
        for index in body
        for call in _calls(function, index)
        if _awaits(function, call, body) and (bound := function.bound(call)) is not None and bound.operation is not None
    }
    if not awaited or function.project.get(CommonReachability).reached_by_all(function, header):
        return False
    return may_call(function, header, awaited)


def _body(function: Function, header: int, branch: ir.Branch) -> set[int]:
    """The blocks on a path back to the header that only the header leads to."""
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


def _calls(function: Function, index: int) -> list[ir.Call]:
    return [
        step.expression
        for step in function.ir.blocks[index].steps
        if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call)
    ]


def _awaits(function: Function, call: ir.Call, body: set[int]) -> bool:
    """Whether a call receives data from a root that is not computed in the loop."""
    bound = function.bound(call)
    if bound is None or bound.operation is None or bound.operation.kind not in COLLECTIVE_KINDS:
        return False
    operation = bound.operation
    if operation.root is None or operation.event.lower().lstrip("i") not in ("bcast", "scatter", "scatterv"):
        return False
    sent = bound.argument(operation.sends[0]) if operation.sends else None
    if sent is None or isinstance(sent, ir.Constant):
        return True
    places = set(_places(sent))
    computed = _computed(function, call, body)
    return bool(places) and not any(_overlap(place, other) for place in places for other in computed)


def _computed(function: Function, call: ir.Call, body: set[int]) -> set[str]:
    """Names and fields that the loop assigns data to send: neither the result of the call, nor empty."""
    found: set[str] = set()
    for index in body:
        for step in function.ir.blocks[index].steps:
            if isinstance(step, ir.Assign) and not _is_empty(step.value, call):
                found.update(place for target in step.targets for place in _places(target))
            elif isinstance(step, ir.AugmentedAssign):
                found.update(_places(step.target))
    return found


def _is_empty(value: ir.Expression | None, call: ir.Call) -> bool:
    """Whether a value is None, the result of a call, or a fresh receive buffer."""
    if not isinstance(value, ir.Call):
        return ir.is_none(value)
    return value.span == call.span or (ir.dotted(value.func) or "").rpartition(".")[2] in _MEMORY


def _places(expression: ir.Expression) -> Iterator[str]:
    """The names and fields in an expression, each as a whole: ``self.command``, not ``self``."""
    if isinstance(expression, (ir.Name, ir.Attribute)) and (place := ir.dotted(expression)) is not None:
        yield place
    else:
        for child in ir.children(expression):
            yield from _places(child)


def _overlap(one: str, other: str) -> bool:
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _operations_in_loop(function: Function, header: int) -> set[str]:
    branch = function.ir.blocks[header].terminator
    assert isinstance(branch, ir.Branch)
    return {
        event.label[0]
        for index in _body(function, header, branch)
        for event in function.block_events(index)
        if not event.opaque
    }
