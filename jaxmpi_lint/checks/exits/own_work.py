"""Assertions about a file or folder that the function itself has changed just before: they always hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.checks.files.uses import FileUses
from jaxmpi_lint.library.python.file_operations import Effect

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_CHANGES = frozenset({Effect.APPENDS, Effect.MAKES, Effect.REMOVES, Effect.UPDATES, Effect.WRITES})


def has_just_changed(function: Function, block: int, test: ir.Expression) -> bool:
    """Whether a test names a path that the function has changed on every way to the test."""
    around = {(guard.block, guard.truth) for guard in guards(function, block)}
    named = {_text(function, node) for node in ir.walk(test)}
    return any(
        use.effect in _CHANGES
        and use.call.span < test.span
        and _text(function, use.path) in named
        and around >= {(guard.block, guard.truth) for guard in guards(function, use.block)}
        for use in function.get(FileUses).found
    )


def _text(function: Function, node: ir.Expression) -> str:
    return "".join(function.module.source(node.span).split())
