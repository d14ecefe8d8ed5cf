"""Flags of the rank that has made a file which the others could not make: ``winner = True`` in such a ``try``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.cfg.exclusive_files import claims, is_for_one
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference, Instance

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_DEPTH = 3
"""Assignments and calls between a claim and the test of its result."""


def is_of_claim(function: Function, condition: ir.Expression, depth: int = 0) -> bool:
    """Whether a condition tests a value that only the rank with the file has."""
    if depth > _DEPTH:
        return False
    return any(_is_flag(function, node, depth) for node in ir.walk(condition))


def _is_flag(function: Function, node: ir.Expression, depth: int) -> bool:
    match node:
        case ir.Name(id=name):
            found = visible_definitions(function, name)
            values = [(found[0], value) for value in found[1]] if found is not None else []
        case ir.Attribute():
            values = list(_fields(function, node))
        case ir.Call():
            return _returns_flag(function, node, depth)
        case _:
            return False
    return any(_is_assigned_by_one(scope, value) or is_of_claim(scope, value, depth + 1) for scope, value in values)


def _is_assigned_by_one(function: Function, value: ir.Expression) -> bool:
    if not any(claims(function.ir)):
        return False
    assigning = (
        block.index
        for block in function.ir.blocks
        for step in block.steps
        if isinstance(step, ir.Assign) and step.value is not None and step.value.span == value.span
    )
    return any(is_for_one(function.ir, block, value.span) for block in assigning)


def _fields(function: Function, node: ir.Attribute) -> Iterator[tuple[Function, ir.Expression]]:
    """The values that methods assign to a field of an object."""
    entity = function.value(node.value, function.flow.exit).entity
    model = function.project.class_model(entity) if isinstance(entity, Instance) else None
    for one in model.linearization if model is not None else ():
        for name in one.ir.methods.values():
            method = one.module_model.function(name)
            for value in method.assignments.get(f"{method.self_name}.{node.attr}", {}).values():
                yield method, value


def _returns_flag(function: Function, call: ir.Call, depth: int) -> bool:
    """Whether a function of the project returns something else to the rank with the file."""
    bound = function.bound(call)
    entity = bound.callee.entity if bound is not None else None
    callee = function.project.function(*entity.key) if isinstance(entity, FunctionReference) else None
    if callee is None:
        return False
    ends = [(block.index, block.terminator) for block in callee.ir.blocks if isinstance(block.terminator, ir.Return)]
    return any(
        is_for_one(callee.ir, block, end.span) or is_of_claim(callee, end.value, depth + 1)
        for block, end in ends
        if end.value is not None
    )
