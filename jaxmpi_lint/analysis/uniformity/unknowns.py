"""Explanation of unknown uniformity: the unknown parts of an expression."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import definitions
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_DEPTH = 3


def unknown_parts(function: Function, block: int, expression: ir.Expression) -> list[tuple[str, ir.Span]]:
    """The smallest unknown parts of an expression at the end of a block, each with a description and its place."""
    env = function.flow.environment_before(block, None)
    found = dict.fromkeys(_parts(function, expression, env, _DEPTH))
    return list(found)


def _parts(function: Function, node: ir.Expression, env: Environment, depth: int) -> Iterator[tuple[str, ir.Span]]:
    if not _is_unknown(function, node, env):
        return
    inner = [found for child in _operands(node) for found in _parts(function, child, env, depth)]
    if inner:
        yield from inner
    elif isinstance(node, ir.Name):
        yield from _of_name(function, node, env, depth)
    else:
        yield _named(function, node), node.span


def _operands(node: ir.Expression) -> tuple[ir.Expression, ...]:
    """The operands of a value; for a call, its arguments."""
    if isinstance(node, ir.Call):
        return ()
    return ir.children(node)


def _is_unknown(function: Function, node: ir.Expression, env: Environment) -> bool:
    return function.value(node, env).content.level is Level.UNKNOWN


def _of_name(function: Function, node: ir.Name, env: Environment, depth: int) -> Iterator[tuple[str, ir.Span]]:
    if any(parameter.name == node.id for parameter in function.ir.parameters):
        yield f"parameter `{node.id}` of `{function.ir.name}`", node.span
        return
    values = definitions(function, node.id) if depth else None
    inner = [found for value in values or () for found in _parts(function, value, env, depth - 1)]
    if inner:
        yield from inner
    else:
        yield f"the value of `{node.id}`", node.span


def _named(function: Function, node: ir.Expression) -> str:
    text = " ".join(function.module.source(node.span).split())
    if isinstance(node, ir.Call):
        called = " ".join(function.module.source(node.func.span).split())
        return f"the result of `{called}`"
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`"
