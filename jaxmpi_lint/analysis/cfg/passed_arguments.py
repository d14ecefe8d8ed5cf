"""Parameters of functions and what calls pass for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def argument_of(function: Function, name: str, call: ir.Call) -> ir.Expression | None:
    """What a call passes for a parameter."""
    if call.has_star:
        return None
    names = [one.name for one in function.ir.parameters if one.kind in ("positional", "plain")]
    if function.self_name is not None and names[:1] == [function.self_name]:
        names = names[1:]
    return call.argument(names.index(name) if name in names else len(call.args), name)


def default_of(function: Function, name: str) -> ir.Expression | None:
    """The default of a parameter."""
    return next((one.default for one in function.ir.parameters if one.name == name), None)


def is_parameter(function: Function, name: str) -> bool:
    """Whether a name is a parameter that keeps the value of the call."""
    named = any(one.name == name and one.kind in ("positional", "plain", "keyword") for one in function.ir.parameters)
    return named and name != function.self_name and name not in function.assignments
