"""Expressions that are provably one Python number or a string, which no buffer interface has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import Literal, RankOf, SizeOf

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_MAKERS = frozenset({"float", "int", "len", "abs", "round"})
_NUMBERS = (int, float, complex)


def is_number(function: Function, expression: ir.Expression, env: Environment) -> bool:
    """Whether an expression is a number of Python, not an array or a scalar of numpy."""
    entity = function.value(expression, env).entity
    if isinstance(entity, (RankOf, SizeOf)):
        return True
    if isinstance(entity, Literal):
        return isinstance(entity.value, _NUMBERS)
    return _is_made_number(function, expression)


def is_text(function: Function, expression: ir.Expression, env: Environment) -> bool:
    """Whether an expression is a string of characters; bytes have a buffer."""
    entity = function.value(expression, env).entity
    return isinstance(entity, Literal) and isinstance(entity.value, str)


def _is_made_number(function: Function, expression: ir.Expression) -> bool:
    """Whether an expression, or the only definition of a name, is a call of a constructor of numbers."""
    if isinstance(expression, ir.Name):
        found = visible_definitions(function, expression.id)
        if found is None or found[0] is not function or len(found[1]) != 1:
            return False
        expression = found[1][0]
    if not isinstance(expression, ir.Call):
        return False
    bound = function.bound(expression)
    return bound is not None and (bound.dotted or "").removeprefix("builtins.") in _MAKERS
