"""Functions of the project that return a request, or an object whose only purpose is to hold one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, FunctionReference

if TYPE_CHECKING:
    from collections.abc import Callable

    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

    IsRequest = Callable[[Function, BoundCall], bool]

_DEEPEST = 4


def started_by(
    function: Function, bound: BoundCall, is_request: IsRequest, depth: int = 0
) -> list[tuple[Function, BoundCall]]:
    """The operations whose requests are reachable through the result of a call of the project alone; else none."""
    entity = bound.callee.entity
    if depth == _DEEPEST:
        return []
    if isinstance(entity, ClassReference):
        held = [given for argument in bound.call.args if (given := _call(function, argument.value)) is not None]
        if not _only_stores(function, entity):
            return []
        return [one for given in held for one in _of_call(function, given, is_request, depth + 1)]
    if not isinstance(entity, FunctionReference):
        return []
    target = function.project.function(entity.path, entity.qualname)
    if target is None or target.ir.is_generator or target.ir.is_async or target.ir.decorators:
        return []
    found: list[tuple[Function, BoundCall]] = []
    for returned in _returned(target):
        call = _call(target, returned)
        started = _of_call(target, call, is_request, depth + 1) if call is not None else []
        if not started:
            return []  # a different result, which need not be waited for
        found += started
    return found


def _of_call(
    function: Function, bound: BoundCall, is_request: IsRequest, depth: int
) -> list[tuple[Function, BoundCall]]:
    if is_request(function, bound):
        return [(function, bound)]
    return started_by(function, bound, is_request, depth)


def _call(function: Function, expression: ir.Expression) -> BoundCall | None:
    return function.bound(expression) if isinstance(expression, ir.Call) else None


def _returned(function: Function) -> Iterator[ir.Expression]:
    for block in function.ir.blocks:
        if isinstance(block.terminator, ir.Return) and function.flow.entries[block.index] is not None:
            value = block.terminator.value
            yield value if value is not None else ir.Constant(block.terminator.span, None)


def _only_stores(function: Function, reference: ClassReference) -> bool:
    """Whether the constructor of a class keeps its arguments in fields and does nothing else."""
    model = function.project.class_model(reference)
    method = model.method("__init__") if model is not None else None
    target = function.project.function(method.path, method.qualname) if method is not None else None
    if target is None:
        return False
    return not any(target.calls()) and model is not None and model.method("__del__") is None
