"""Assertions about a file or folder that the function itself has changed just before: they always hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.library.python.file_operations import (
    DISTINCT_PATH_METHODS,
    OPERATIONS,
    PATH_METHODS,
    SELF,
    Effect,
    FileOperation,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_CHANGES = frozenset({Effect.MAKES, Effect.WRITES, Effect.REMOVES})


def has_just_changed(function: Function, block: int, test: ir.Expression) -> bool:
    """Whether a test names a path that the function has changed on every way to the test."""
    around = {(guard.block, guard.truth) for guard in guards(function, block)}
    named = {_text(function, node) for node in ir.walk(test)}
    return any(
        bound.call.span < test.span
        and _text(function, path) in named
        and around >= {(guard.block, guard.truth) for guard in guards(function, index)}
        for index, bound in function.calls_by_block
        for path in _changed(bound)
    )


def _changed(bound: BoundCall) -> Iterator[ir.Expression]:
    """The paths that a call makes, writes or removes."""
    for operation in _operations(bound):
        if operation.effect in _CHANGES:
            own = bound.call.func.value if isinstance(bound.call.func, ir.Attribute) else None
            path = own if operation.position == SELF else bound.call.argument(operation.position, operation.keyword)
            if path is not None:
                yield path


def _operations(bound: BoundCall) -> tuple[FileOperation, ...]:
    name = bound.dotted or ""
    if name in OPERATIONS:
        return OPERATIONS[name]
    func = bound.call.func
    if isinstance(func, ir.Attribute) and func.attr in DISTINCT_PATH_METHODS and bound.callee.entity is None:
        return PATH_METHODS[func.attr]
    return ()


def _text(function: Function, node: ir.Expression) -> str:
    return "".join(function.module.source(node.span).split())
