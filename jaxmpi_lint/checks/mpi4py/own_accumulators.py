"""Sums and numbers that a loop or a method accumulates side by side, in variables or fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.checks.mpi4py.returned_results import NEW_ARRAYS
from jaxmpi_lint.checks.mpi4py.totals import called
from jaxmpi_lint.library.python.element_sums import CONVERSIONS, COUNTS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class _Increment:
    """A statement that adds a value, in a block of a function."""

    function: Function
    block: int
    value: ir.Expression


def accumulated_together(function: Function, summed: ir.Expression, counted: ir.Expression) -> str | None:
    """The data of which one accumulator is a sum and another the number of elements, as far as a rank has them."""
    sums = _increments(function, _accumulator(function, summed))
    counts = _increments(function, _accumulator(function, counted))
    if not sums or not counts:
        return None
    found: str | None = None
    for count in counts:
        beside = [one.value for one in sums if one.function is count.function and one.block == count.block]
        found = _data(count, beside)
        if found is None:
            return None
    return found


def _accumulator(function: Function, expression: ir.Expression) -> str | None:
    """The variable or field that an expression is."""
    match expression:
        case ir.Call(args=(first, *_)) if called(function, expression) in CONVERSIONS:
            return _accumulator(function, first.value)
        case ir.Collection(elements=(only,)):
            return _accumulator(function, only)
        case ir.Name(id=name):
            values = list(function.assignments.get(name, {}).values())
            is_alias = len(values) == 1 and name not in function.bound_otherwise and function.is_local(name)
            return (_accumulator(function, values[0]) if is_alias else None) or name
        case ir.Attribute():
            return ir.dotted(expression)
    return None


def _increments(function: Function, place: str | None) -> list[_Increment]:
    """The statements that add to an accumulator, if it is otherwise only set to zero."""
    found: list[_Increment] = []
    for one, name in _scopes(function, place) if place is not None else ():
        if not all(_is_zero(one, value) for value in _bound(one, name)) or name in map(ir.dotted, _received(one)):
            return []
        for block in one.ir.blocks:
            for step in block.steps:
                if not isinstance(step, ir.AugmentedAssign) or ir.dotted(step.target) != name:
                    continue
                if step.operator not in ("+", "+="):
                    return []
                found.append(_Increment(one, block.index, step.value))
    return found


def _scopes(function: Function, place: str) -> Iterator[tuple[Function, str]]:
    """The function, or for a field the methods of its class, with the name that the accumulator has there."""
    owner, _, field = place.partition(".")
    if not field:
        yield function, place
        return
    if owner != function.self_name or function.ir.owner is None:
        return
    for method in function.module_model.functions():
        if method.ir.owner == function.ir.owner and method.self_name is not None:
            yield method, f"{method.self_name}.{field}"


def _bound(function: Function, name: str) -> Iterator[ir.Expression | None]:
    """What is bound to a name, increments apart; None for what is not known."""
    yield from function.assignments.get(name, {}).values()
    if any(parameter.name == name for parameter in function.ir.parameters):
        yield None
    for step in function.ir.steps():
        match step:
            case ir.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ir.Collection) and name in map(ir.dotted, target.elements):
                        index = list(map(ir.dotted, target.elements)).index(name)
                        is_same = isinstance(value, ir.Collection) and len(value.elements) == len(target.elements)
                        yield value.elements[index] if isinstance(value, ir.Collection) and is_same else None


def _is_zero(function: Function, value: ir.Expression | None) -> bool:
    match value:
        case ir.Constant(value=number):
            return number == 0
        case ir.Call():
            return called(function, value) in NEW_ARRAYS
    return False


def _received(function: Function) -> Iterator[ir.Expression]:
    for bound in function.operation_calls:
        given = (bound.argument(parameter) for parameter in bound.known_operation.receives)
        yield from (one for one in given if one is not None)


def _data(count: _Increment, sums: list[ir.Expression]) -> str | None:
    """What a statement counts: the elements of data that one beside it sums, or the passes of a rank's own loop."""
    names = {node.id for value in sums for node in ir.walk(value) if isinstance(node, ir.Name)}
    match count.value:
        case ir.Call(args=(ir.Argument(value=ir.Name(id=name)),)) if called(count.function, count.value) in COUNTS:
            return name if name in names else None
        case ir.Attribute(value=ir.Name(id=name), attr="size"):
            return name if name in names else None
        case ir.Subscript(value=ir.Attribute(value=ir.Name(id=name), attr="shape"), index=ir.Constant(value=0)):
            return name if name in names else None
        case ir.Constant(value=1) if sums:
            return _own_loop(count)
    return None


def _own_loop(count: _Increment) -> str | None:
    """The iterable of the loop around a statement, if its passes are a rank's own."""
    function = count.function
    for step in function.ir.blocks[count.block].steps:
        match step:
            case ir.Assign(value=ir.Element(iterable=iterable)):
                value = function.value(iterable, function.flow.environment_before(count.block, step))
                is_own = value.content.level.diverges or value.structure.level.diverges
                return function.module.line(iterable.span) if is_own else None
    return None
