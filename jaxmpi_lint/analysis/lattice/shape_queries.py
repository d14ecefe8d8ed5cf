"""Shapes of arrays that are divided among processes: only the first axis is assumed to have the local length."""

from __future__ import annotations

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import NOTHING, UNIFORM, Literal, ResultOf, Value
from jaxmpi_lint.library.python.array_shapes import LENGTHS, SAME_OF_PARTS, SHAPE, SHAPES

OWN_LENGTH = "the length of the local data"
"""The reason for a length that differs; parts of some data may be equally long nevertheless."""


def asked_of_array(name: str, array: Value, module: ir.Module, span: ir.Span) -> Value | None:
    """The structure of a value that a function, or an attribute (``.shape``), returns; None for others."""
    if name in SHAPES:
        return Value(ResultOf(SHAPE, module.path, span), array.structure, array.kind, UNIFORM)
    if name in LENGTHS:
        return Value(None, array.structure, array.structure, UNIFORM)
    return Value(None, array.kind, array.kind, UNIFORM) if name in SAME_OF_PARTS else None


def is_divided_shape(value: Value) -> bool:
    """Whether a value is a shape in which some axis differs."""
    is_shape = isinstance(value.entity, ResultOf) and value.entity.operation == SHAPE
    return is_shape and value.content.level.diverges


def extents(shape: Value, index: Value) -> Value:
    """The length along an axis, or the lengths from one on, of a shape in which some axis differs."""
    later = isinstance(index.entity, Literal) and index.entity.value != 0
    return NOTHING if later else Value(None, shape.content, UNIFORM, UNIFORM)


def part_of(value: Value, position: int) -> Value:
    """The value that unpacking gives to the name at a position."""
    return NOTHING if position and is_divided_shape(value) else Value(None, value.content)
