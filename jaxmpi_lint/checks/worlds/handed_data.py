"""The call that a fault about data is reported at: functions that only hand the data on are not where it is made."""

from __future__ import annotations

from collections.abc import Iterator

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.events import Place

_CONVERSIONS = frozenset({"array", "asarray"})


def maker(place: Place) -> tuple[ir.Module, ir.Span]:
    """The first call on the way out that is not made in a function of its data only."""
    at = place.module, place.span
    for outer in reversed(place.calls):
        if outer is None or not _hands_on(*at):
            break
        at = outer
    return at


def _hands_on(module: ir.Module, span: ir.Span) -> bool:
    """Whether a call passes nothing but parameters of its function on, fields of its object, and constants."""
    for function in module.functions.values():
        call = next((one for one in function.calls() if one.span == span), None)
        if call is not None:
            parameters = set(_parameters(module, function))
            return bool(parameters) and all(_is_given(argument.value, parameters) for argument in call.args)
    return False


def _parameters(module: ir.Module, function: ir.Function | None) -> Iterator[str]:
    """The names of the parameters of a function, and of those in which it is defined."""
    while function is not None:
        yield from (parameter.name for parameter in function.parameters)
        function = module.functions.get(function.parent) if function.parent is not None else None


def _is_given(value: ir.Expression, parameters: set[str]) -> bool:
    match value:
        case ir.Call(func=func, args=args):
            name = (ir.dotted(func) or "").rpartition(".")[2]
            return name in _CONVERSIONS and all(_is_given(argument.value, parameters) for argument in args)
        case ir.Name(id=name):
            return name in parameters
    is_fixed = isinstance(value, (ir.Lambda, ir.Constant))
    return is_fixed or (isinstance(value, ir.Attribute) and _is_given(value.value, parameters))
