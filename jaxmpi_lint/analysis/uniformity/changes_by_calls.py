"""Objects that a called function may make equal on all processes, by communication or by an assignment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import place_of
from jaxmpi_lint.analysis.lattice.lattice import (
    UNKNOWN,
    Compiled,
    FunctionReference,
    Instance,
    Named,
    Uniformity,
    Value,
)
from jaxmpi_lint.analysis.uniformity.container_mutation import is_resized
from jaxmpi_lint.analysis.uniformity.inplace_changes import changes, is_container

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


def unknown_contents(value: Value) -> Value:
    """The value after a change that may have made it equal on all processes."""
    return replace(
        value,
        content=_unless_equal(value.content),
        structure=_unless_equal(value.structure),
        noneness=_unless_equal(value.noneness),
        elements=None,
    )


def _unless_equal(facet: Uniformity) -> Uniformity:
    return UNKNOWN if facet.level.diverges else facet


def equalised(function: Function, bound: BoundCall, env: Environment) -> Iterator[str]:
    """The containers that a call receives and the fields of its object, if the callee may change them."""
    if isinstance(bound.callee.entity, (Named, Compiled)):
        return
    arguments = {place_of(argument.value) for argument in bound.call.args}
    places = [place for place in arguments if place is not None and _is_changing(env.get(place))]
    if places and _may_equalise(function, bound):
        yield from places
    owner = bound.receiver.entity if bound.receiver is not None else None
    held = ir.dotted(bound.call.func.value) if isinstance(bound.call.func, ir.Attribute) else None
    if isinstance(owner, Instance) and held is not None:
        yield from _fields(function, owner, held, env)


def _is_changing(value: Value | None) -> bool:
    if value is None or not is_container(value):
        return False
    return value.content.level.diverges or value.structure.level.diverges


def _may_equalise(function: Function, bound: BoundCall) -> bool:
    callee = bound.callee.entity
    if isinstance(callee, FunctionReference):
        called = function.project.function(callee.path, callee.qualname)
        resizes = called is not None and _resizes_parameter(called)
        return resizes or function.project.summaries.function_may_communicate(callee.key)
    return bound.receiver is None or not is_container(bound.receiver)


def _resizes_parameter(function: Function) -> bool:
    """Whether elements are added to a container that the caller passes, which may pad it to a common length."""
    return any(is_resized(function, parameter.name) for parameter in function.ir.parameters)


def _fields(function: Function, owner: Instance, held: str, env: Environment) -> Iterator[str]:
    """The fields with values that differ, which other methods of the class change."""
    for place, value in list(env.items()):
        start, _, name = place.rpartition(".")
        differs = value.content.level.diverges or value.structure.level.diverges or value.noneness.level.diverges
        if start == held and differs and name in _changed_elsewhere(function, owner):
            yield place


def _changed_elsewhere(function: Function, owner: Instance) -> frozenset[str]:
    """The fields of a class that a method other than the constructor and this one changes or passes on."""
    found: set[str] = set()
    model = function.project.class_model(owner)
    for one in model.linearization if model is not None else ():
        for name, qualname in one.ir.methods.items():
            method = one.module_model.function(qualname)
            if name != "__init__" and method.key != function.key and method.self_name is not None:
                found |= _touched(method, method.self_name)
    return frozenset(found)


def _touched(method: Function, own: str) -> set[str]:
    paths = set(method.assignments)
    for block in method.ir.blocks:
        paths.update(change.path for change in changes(method, block))
    for call in method.ir.calls():
        paths.update(place_of(argument.value) or "" for argument in call.args)
    return {path.partition(".")[2] for path in paths if path.startswith(f"{own}.")}
