"""Communication in a loop that depends on the element of each iteration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read
from jaxmpi_lint.analysis.jax.global_arrays import launches_on_global_array
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import Compiled, FunctionReference
from jaxmpi_lint.analysis.participation.lazy_initialisation import later_calls_may_communicate
from jaxmpi_lint.library.model import COLLECTIVE_KINDS, POINT_TO_POINT_KINDS, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_NUMBERS = re.compile(
    r"[ijmnprq]|ii|jj|(?:[a-z0-9_]*_)?(?:idx|index|[cegnptu]?id|rank|level|step|proc|pe|peer|num|number|node|count|size)\d*",
    re.IGNORECASE,
)
_RECEIVING = frozenset({Kind.RECEIVE, Kind.SENDRECV})
_SENDING = frozenset({Kind.SEND, Kind.SENDRECV})


class LoopBody:
    """The calls in one loop or comprehension, and the names that an element's value reaches."""

    def __init__(self, function: Function, header: int, branch: ir.Branch) -> None:
        assert isinstance(branch.test, ir.Element)
        self._function = function
        self._extent = branch.extent
        self._blocks = sorted(function.graph.reachable(branch.when_true, header))
        self._iterable = branch.test.iterable
        self._carried = self._reached_by_element(branch.when_true)
        self._kept_by_element = {
            node.span
            for step in self._steps()
            if isinstance(step, ir.Assign) and step.value is not None and any(map(self._mentions, step.targets))
            for node in ir.walk(step.value)
        }

    def ordered_communication(self) -> BoundCall | None:
        """The first communication whose order is determined by the loop."""
        calls = list(self._calls())
        dependent = [bound for bound in calls if self._depends(bound.call)]
        for bound in dependent:
            if self._is_collective(bound):
                return bound
        return self._exchange(calls) if dependent else None

    def counts(self) -> bool:
        """Whether the elements are numbers, judging by their names or by their use as a process number."""
        if self.variables and all(_NUMBERS.fullmatch(name) for name in self.variables):
            return True
        for bound in self._calls():
            operation = bound.operation
            if operation is None:
                continue
            for parameter in (operation.destination, operation.source, operation.root):
                argument = bound.argument(parameter)
                if argument is not None and self._mentions(argument):
                    return True
        return False

    def _calls(self) -> Iterator[BoundCall]:
        for step in self._steps():
            if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
                bound = self._function.bound(step.expression)
                if bound is not None and self._is_inside(step.expression.span):
                    yield bound

    def _steps(self) -> Iterator[ir.Step]:
        for index in self._blocks:
            if index < len(self._function.ir.blocks):
                yield from self._function.ir.blocks[index].steps

    def _is_inside(self, span: ir.Span) -> bool:
        start, end = self._iterable.span
        return self._extent[0] <= span[0] < self._extent[1] and not start <= span[0] < end

    def _is_collective(self, bound: BoundCall) -> bool:
        if bound.communicator is not None and bound.communicator.is_self:
            return False
        if bound.operations:
            return all(operation.kind in COLLECTIVE_KINDS for operation in bound.operations)
        entity = bound.callee.entity
        if launches_on_global_array(self._function, bound):
            return True
        target = entity.function if isinstance(entity, Compiled) else entity
        if not isinstance(target, FunctionReference):
            return False
        if not self._function.project.summaries.function_may_communicate(target.key):
            return False
        called = self._function.project.function(target.path, target.qualname)
        return called is None or later_calls_may_communicate(called)

    def _exchange(self, calls: list[BoundCall]) -> BoundCall | None:
        """Messages in both directions, at least one of them blocking: every process iterates over the loop."""
        messages = [
            bound for bound in calls if bound.operation is not None and bound.operation.kind in POINT_TO_POINT_KINDS
        ]
        kinds = {bound.operation.kind for bound in messages if bound.operation is not None}
        if not kinds & _RECEIVING or not kinds & _SENDING:
            return None
        return next((bound for bound in messages if bound.operation is not None and bound.operation.blocking), None)

    def _reached_by_element(self, first: int) -> frozenset[str]:
        """The loop's variables and what the body computes from them."""
        carried: set[str] = set()
        for step in self._function.ir.blocks[first].steps:
            if isinstance(step, ir.Assign) and isinstance(step.value, ir.Element):
                carried |= {name for target in step.targets for name in _names(target)}
                break
        self.variables = frozenset(carried)
        for _ in range(3):
            before = len(carried)
            for assigned in self._steps():
                if not isinstance(assigned, ir.Assign) or not self._is_inside(assigned.span):
                    continue
                if any(_names(read) & carried for read in expressions_read(assigned)):
                    carried |= {name for target in assigned.targets for name in _bound_names(target)}
            if len(carried) == before:
                break
        return frozenset(carried)

    def _mentions(self, expression: ir.Expression) -> bool:
        return bool(_names(expression) & self._carried)

    def _depends(self, call: ir.Call) -> bool:
        """Whether an element determines the arguments of the call, or the destination of its result."""
        return self._mentions(call) or call.span in self._kept_by_element


def _bound_names(target: ir.Expression) -> set[str]:
    """Plain names that an assignment binds; a container that receives an element is not followed."""
    if isinstance(target, (ir.Subscript, ir.Attribute)):
        return set()
    return _names(target)


def _names(expression: ir.Expression) -> set[str]:
    return {node.id for node in ir.walk(expression) if isinstance(node, ir.Name)}
