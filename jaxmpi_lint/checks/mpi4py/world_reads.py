"""Reads of the rank or the size of the world, and whether their names state that the world is intended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions
from jaxmpi_lint.analysis.lattice.lattice import SizeOf, Value
from jaxmpi_lint.analysis.model.communicator_parameters import own_communicator

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_OF_WORLD = ("world", "global")

Place = tuple["Function", ir.Span]


@dataclass(frozen=True, slots=True)
class WorldRead:
    """An expression that reads the rank or size of the world; ``communicator`` is the part that names the world."""

    function: Function
    span: ir.Span
    communicator: ir.Span | None
    decides: str


def source_of(function: Function, value: Value, node: ir.Expression, decides: str) -> WorldRead | None:
    """The read that a value in an expression comes from; None where its name states that the world is intended."""
    place = _size_read(function, node) if isinstance(value.entity, SizeOf) else _rank_read(function, value)
    if place is None:
        return None
    reader, span = place
    if reader.ir.kind == "module" or own_communicator(reader) is None:
        reader, span = function, node.span
    if _says_world(reader, span):
        return None
    return WorldRead(reader, span, _communicator_part(reader, span), decides)


def names_world(expression: ir.Expression) -> bool:
    """Whether an expression names the world itself, not an attribute or an element that holds it."""
    path = ir.dotted(expression)
    return path is not None and ("." not in path or path.endswith("COMM_WORLD"))


def named_world(bound: BoundCall) -> ir.Expression | None:
    """The expression by which a call names the world; None for an attribute or an element, which may change."""
    operation = bound.operation
    if operation is not None and operation.communicator not in (None, "self"):
        named = bound.argument(operation.communicator)
    else:
        named = bound.call.func.value if isinstance(bound.call.func, ir.Attribute) else None
    return named if named is not None and names_world(named) else None


def _rank_read(function: Function, value: Value) -> Place | None:
    reason = value.content.reason
    if reason is None:
        return None
    module, span = reason.chain()[0].module, reason.chain()[0].span
    body = function.module_model.body
    if module is not function.module:
        return body, span
    around = [f for f in module.functions.values() if f.kind != "class" and f.span[0] <= span[0] < f.span[1]]
    if not around:
        return body, span
    innermost = min(around, key=lambda f: f.span[1] - f.span[0])
    return function.module_model.function(innermost.qualname), span


def _size_read(function: Function, node: ir.Expression) -> Place:
    """The value assigned to the name or the attribute that holds a size, else the expression itself."""
    path = ir.dotted(node)
    if path is None:
        return function, node.span
    for reader in (function, *_constructors(function, path)):
        for target, value in _bindings(reader):
            if ir.dotted(target) == path:
                return reader, value.span
    return function, node.span


def _constructors(function: Function, path: str) -> Iterator[Function]:
    own, owner = function.self_name, function.ir.owner
    if own is None or owner not in function.module.classes or not path.startswith(f"{own}."):
        return
    for model in function.module_model.class_model(owner).linearization:
        qualname = model.ir.methods.get("__init__")
        if qualname is not None and model.module_model is function.module_model:
            yield model.module_model.function(qualname)


def _bindings(reader: Function) -> Iterator[tuple[ir.Expression, ir.Expression]]:
    for step in reader.ir.steps():
        if not isinstance(step, ir.Assign) or step.value is None:
            continue
        for target in step.targets:
            if isinstance(target, ir.Collection) and isinstance(step.value, ir.Collection):
                yield from zip(target.elements, step.value.elements, strict=False)
            else:
                yield target, step.value


def _says_world(reader: Function, span: ir.Span) -> bool:
    """Whether the name that is read, or that the read is assigned to, states that it belongs to the world."""
    if _communicator_part(reader, span) is None:
        return any(word in reader.module.source(span).lower() for word in _OF_WORLD)
    targets = [
        reader.module.source(target.span).lower()
        for target, value in _bindings(reader)
        if any(node.span == span for node in ir.walk(value))
    ]
    return any(word in target for target in targets for word in _OF_WORLD)


def _communicator_part(reader: Function, span: ir.Span) -> ir.Span | None:
    """The part of a read such as ``MPI.COMM_WORLD.rank`` that names the communicator."""
    for block in reader.ir.blocks:
        read = [expression for step in block.steps for expression in expressions_read(step)]
        for expression in (*read, *terminator_expressions(block)):
            for node in ir.walk(expression):
                attribute = node.func if isinstance(node, ir.Call) else node
                if node.span == span and isinstance(attribute, ir.Attribute) and names_world(attribute.value):
                    return attribute.value.span
    return None
