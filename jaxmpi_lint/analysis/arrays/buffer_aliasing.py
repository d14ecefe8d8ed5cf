"""Whether two buffers are provably the same memory."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


class Overlap(StrEnum):
    """Kinds of overlap between two buffers."""

    SAME = "the same memory"
    PART = "overlapping memory"


def overlap(function: Function, one: ir.Expression, other: ir.Expression) -> Overlap | None:
    """How two buffers overlap; None if they do not or if it is unknown."""
    (base, index), (other_base, other_index) = _view(function, one), _view(function, other)
    if base is None or base != other_base:
        return None
    if index is None and other_index is None:
        return Overlap.SAME
    if index is None or other_index is None:
        return Overlap.PART if _is_view(function, index or other_index) else None
    if _key(function, index) == _key(function, other_index):
        return Overlap.SAME
    if isinstance(index, ir.Slice) and isinstance(other_index, ir.Slice):
        return Overlap.PART if _cross(index, other_index) else None
    return None


def _view(function: Function, expression: ir.Expression) -> tuple[str | None, ir.Expression | None]:
    """The array that an expression names, and the index into it; an alias of an array is resolved to the array."""
    index: ir.Expression | None = None
    if isinstance(expression, ir.Subscript):
        index, expression = expression.index, expression.value
        if _has_call(index):
            return None, None
        if isinstance(index, ir.Slice) and index.lower is None and index.upper is None and index.step is None:
            index = None
    path = ir.dotted(expression)
    for _ in range(3):
        found = visible_definitions(function, path) if path is not None else None
        if found is None or len(found[1]) != 1 or not isinstance(found[1][0], ir.Name) or found[0] is not function:
            break
        if not _is_bound_once(function, found[1][0].id):
            break
        path = found[1][0].id
    return path, index


def _is_bound_once(function: Function, name: str) -> bool:
    bound = sum(
        isinstance(target, ir.Name) and target.id == name
        for step in function.ir.steps()
        if isinstance(step, ir.Assign)
        for target in step.targets
    )
    return bound + any(parameter.name == name for parameter in function.ir.parameters) == 1


def _has_call(index: ir.Expression) -> bool:
    return any(isinstance(node, ir.Call) for node in ir.walk(index))


def _is_view(function: Function, index: ir.Expression | None) -> bool:
    """Whether an index always gives a view of some elements: slices and numbers, at least one slice."""
    parts = index.elements if isinstance(index, ir.Collection) else (index,)
    plain = all(isinstance(part, ir.Slice) or _is_number(function, part) for part in parts)
    return plain and any(isinstance(part, ir.Slice) for part in parts)


def _is_number(function: Function, part: ir.Expression | None) -> bool:
    """Whether a part of an index is one number: a constant, a rank, or computed from these; an array would copy."""
    match part:
        case ir.Constant():
            return True
        case ir.BinaryOperation(left=left, right=right):
            return _is_number(function, left) and _is_number(function, right)
        case ir.Name(id=name):
            found = visible_definitions(function, name)
            return found is not None and len(found[1]) == 1 and _is_rank(found[1][0])
    return _is_rank(part)


def _is_rank(expression: ir.Expression | None) -> bool:
    called = expression.func if isinstance(expression, ir.Call) else expression
    return isinstance(called, ir.Attribute) and called.attr in ("rank", "Get_rank")


def _cross(one: ir.Slice, other: ir.Slice) -> bool:
    """Whether two slices with constant bounds share an element of every array that is long enough."""
    first, second = _bounds(one), _bounds(other)
    if first is None or second is None:
        return False
    return max(first[0], second[0]) < min(first[1], second[1])


def _bounds(part: ir.Slice) -> tuple[float, float] | None:
    if part.step is not None:
        return None
    lower, upper = _constant(part.lower, 0), _constant(part.upper, float("inf"))
    return None if lower is None or upper is None else (lower, upper)


def _constant(bound: ir.Expression | None, default: float) -> float | None:
    if bound is None:
        return default
    if isinstance(bound, ir.Constant) and type(bound.value) is int and bound.value >= 0:
        return bound.value
    return None


def _key(function: Function, expression: ir.Expression | None) -> object:
    """The key under which two indices are the same."""
    match expression:
        case None:
            return None
        case ir.Slice(lower=lower, upper=upper, step=step):
            return ("slice", *(_key(function, part) for part in (lower, upper, step)))
        case ir.Collection(elements=elements):
            return ("tuple", *(_key(function, element) for element in elements))
        case _:
            return function.module.line(expression.span)
