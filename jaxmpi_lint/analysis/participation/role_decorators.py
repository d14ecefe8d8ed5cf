"""Decorators that run a function on some ranks only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import names_role, tests_rank
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, FunctionReference

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def selects_ranks(function: Function) -> bool:
    """Whether a decorator is named like a role, or is a function or a class of the project that tests the rank."""
    return any(
        names_role(function.module.source(decorator.span)) or tests_rank(_definition(function, decorator))
        for decorator in function.ir.decorators
    )


def _definition(function: Function, decorator: ir.Expression) -> str:
    """The text of a decorator's definition in the project; empty if it is unknown."""
    scope = function.parent or function.module_model.body
    if function.project.is_running(scope):
        return ""
    named = decorator.func if isinstance(decorator, ir.Call) else decorator
    match scope.value(named, dict(scope.flow.exit)).entity:
        case FunctionReference(path=path, qualname=name):
            found = function.project.function(path, name)
            return found.module.source(found.ir.span) if found is not None else ""
        case ClassReference(path=path, qualname=name):
            model = function.project.module(path)
            module = model.body.module if model is not None else None
            return module.source(module.classes[name].span) if module is not None and name in module.classes else ""
    return ""
