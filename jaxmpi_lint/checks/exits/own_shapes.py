"""Tests of the shape of what a function of the project has computed: an exception for it should never be raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_stored, visible_definitions
from jaxmpi_lint.analysis.uniformity.communicator_usage import called_function

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_SHAPES = frozenset({"dtype", "ndim", "shape"})


def is_of_own_shape(function: Function, test: ir.Expression) -> bool:
    """Whether a test reads nothing but shapes of arrays that calls of functions of the project have returned."""
    names = {node.id for node in ir.walk(test) if isinstance(node, ir.Name)}
    return bool(names) and all(_is_own_shape(function, test, name) for name in names)


def _is_own_shape(function: Function, test: ir.Expression, name: str) -> bool:
    if _shaped(test) == {name}:
        return _is_computed(function, name)
    if any(parameter.name == name for parameter in function.ir.parameters):
        return False
    values = [step.value for step in function.ir.steps() if isinstance(step, ir.Assign) and _binds(step, name)]
    shaped = {one for value in values if value is not None for one in _shaped(value)}
    return bool(values) and len(shaped) == 1 and all(map(_is_shape, values)) and _is_computed(function, *shaped)


def _binds(step: ir.Assign, name: str) -> bool:
    return any(name in names_stored(target) for target in step.targets)


def _is_shape(value: ir.Expression | None) -> bool:
    """Whether an expression is a shape or a part of it."""
    while isinstance(value, ir.Subscript):
        value = value.value
    return isinstance(value, ir.Attribute) and value.attr in _SHAPES


def _shaped(expression: ir.Expression) -> set[str]:
    """The names of which an expression reads the shape."""
    found = (node for node in ir.walk(expression) if isinstance(node, ir.Attribute) and node.attr in _SHAPES)
    return {node.value.id for node in found if isinstance(node.value, ir.Name)}


def _is_computed(function: Function, name: str) -> bool:
    """Whether a name holds only what calls of functions of the project return."""
    found = visible_definitions(function, name)
    if found is None:
        return False
    scope, values = found
    return all(isinstance(value, ir.Call) and _is_of_project(scope, value) for value in values)


def _is_of_project(scope: Function, call: ir.Call) -> bool:
    """Whether a call runs a function of the project, also one of a file that is not analysed, which binds no value."""
    bound = scope.flow.calls.get(call.span)
    if bound is None or called_function(bound) is not None:
        return bound is not None
    imports = (step for step in scope.module_model.body.ir.steps() if isinstance(step, ir.Import))
    names = {name.bound for step in imports for name in step.names}
    return bound.callee.entity is None and isinstance(call.func, ir.Name) and call.func.id in names
