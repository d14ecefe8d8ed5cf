"""Partial application by `functools.partial`: arguments passed later follow the bound ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import NOTHING, FunctionReference, Value

_NOBODY = ""  # no name of the program: an argument bound elsewhere is known by its value alone


def with_arguments_ahead(arguments: Sequence[Value], call: ir.Call) -> Value:
    """The value of ``partial(function, ...)``; unknown if the number of bound arguments is not literal."""
    function = arguments[0]
    if not isinstance(function.entity, FunctionReference) or call.has_star:
        return NOTHING
    entity = function.entity
    place = _places_taken(entity)
    ahead = list(entity.ahead)
    for argument, value in zip(call.args[1:], arguments[1:], strict=True):
        ahead.append((argument.keyword or place, value))
        place += argument.keyword is None
    return replace(function, entity=replace(entity, ahead=tuple(ahead)))


def completed(call: ir.Call, callee: FunctionReference) -> ir.Call:
    """A call with placeholders for the arguments that were bound before."""
    if not callee.ahead:
        return call
    place = ir.Argument(call.func.span, ir.Name(call.func.span, _NOBODY))
    return replace(call, args=(*[place] * _places_taken(callee), *call.args))


def given_ahead(function: FunctionReference, positional: Sequence[ir.Parameter]) -> Iterator[tuple[str, Value]]:
    """The parameters bound before, of those that can be passed by position and by name."""
    for place, value in function.ahead:
        if isinstance(place, str):
            yield place, value
        elif place < len(positional):
            yield positional[place].name, value


def _places_taken(function: FunctionReference) -> int:
    return sum(isinstance(place, int) for place, _ in function.ahead)
