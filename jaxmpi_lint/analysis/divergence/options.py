"""Options: parameters that a function hands on unchanged, and that choose what its callee communicates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.constant_propagation import arguments_of
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.model.call_graph import CallSites

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def is_option(function: Function, block: int, name: str) -> bool:
    """Whether a name is a parameter that may have either value at a block, the same on every process.

    No test on the way to the block involves it, and the visible callers do not all pass the same constant.
    """
    if function.rebinds(name) or all(parameter.name != name for parameter in function.ir.parameters):
        return False
    tests = (guard.branch.test for guard in guards(function, block))
    return not any(_names(test, name) for test in tests) and not _is_fixed(function, name)


def passed_name(caller: Function, span: ir.Span, function: Function, parameter: str) -> str | None:
    """The name that a call passes for a parameter."""
    for site in function.project.get(CallSites).of(function):
        if site.caller.key == caller.key and site.span == span:
            given = arguments_of(caller, site.bound, function).get(parameter)
            return given.id if isinstance(given, ir.Name) else None
    return None


def _names(test: ir.Expression, name: str) -> bool:
    return any(isinstance(node, ir.Name) and node.id == name for node in ir.walk(test))


def _is_fixed(function: Function, name: str) -> bool:
    """Whether every visible call passes one constant, or leaves the parameter to its default."""
    sites = function.project.get(CallSites).of(function)
    default = next(parameter.default for parameter in function.ir.parameters if parameter.name == name)
    given = [arguments_of(site.caller, site.bound, function).get(name, default) for site in sites]
    constants = {expression.value for expression in given if isinstance(expression, ir.Constant)}
    return bool(given) and len(constants) == 1 and all(isinstance(expression, ir.Constant) for expression in given)
