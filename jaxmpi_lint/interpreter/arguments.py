"""Binding of arguments to parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.values import FunctionValue, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def bind(rank: Rank, function: FunctionValue, args: tuple[Value, ...], keywords: dict[str, Value]) -> dict[str, Value]:
    """The names of a call's frame; arguments that do not fit raise TypeError."""
    names: dict[str, Value] = {}
    rest, left = list(args), dict(keywords)
    for parameter in function.ir.parameters:
        if parameter.kind == "star":
            names[parameter.name], rest = tuple(rest), []
        elif parameter.kind == "double-star":
            names[parameter.name], left = left, {}
        else:
            names[parameter.name] = _one(function, parameter, rest, left)
    if rest or left:
        raise fail("TypeError")
    return names


def _one(function: FunctionValue, parameter: ir.Parameter, rest: list[Value], left: dict[str, Value]) -> Value:
    if rest and parameter.kind != "keyword":
        return rest.pop(0)
    if parameter.name in left:
        return left.pop(parameter.name)
    if parameter.name in function.defaults:
        return function.defaults[parameter.name]
    raise fail("TypeError")
