"""The assignment of the path that a call gets, for the explanation of a fault."""

from __future__ import annotations

from collections.abc import Iterator

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.events import Place


def assigned_path(place: Place) -> ir.Span | None:
    """The only assignment of a name or field in the path of a call, if it is in a different line."""
    for function in place.module.functions.values():
        for call in function.calls():
            if isinstance(call, ir.Call) and call.span == place.span:
                return _of_call(place, function, call)
    return None


def _of_call(place: Place, function: ir.Function, call: ir.Call) -> ir.Span | None:
    for name in _names(call):
        inside = [span for other in _scopes(place.module, function, name) for span in _assignments(other, name)]
        if len(inside) == 1 and place.module.position(inside[0][0])[0] != place.row:
            return inside[0]
    return None


def _names(call: ir.Call) -> Iterator[str]:
    """Names and fields in the first argument, and the object of a method."""
    parts = [argument.value for argument in call.args[:1]]
    if isinstance(call.func, ir.Attribute):
        parts.append(call.func.value)
    for part in parts:
        for node in ir.walk(part):
            name = ir.dotted(node) if isinstance(node, (ir.Name, ir.Attribute)) else None
            if name is not None:
                yield name


def _scopes(module: ir.Module, function: ir.Function, name: str) -> Iterator[ir.Function]:
    """Where a name is assigned: a field in any method, a local name in the function, else in the file."""
    if "." in name:
        yield from module.functions.values()
    elif any(True for _ in _assignments(function, name)) or any(one.name == name for one in function.parameters):
        yield function
    else:
        yield module.body


def _assignments(function: ir.Function, name: str) -> Iterator[ir.Span]:
    for step in function.steps():
        if isinstance(step, ir.Assign) and any(ir.dotted(target) == name for target in step.targets):
            yield step.span
