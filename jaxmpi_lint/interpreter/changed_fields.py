"""Fields of an object that a call of one of its methods sets to what it reads from a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.library.python.file_operations import OPENINGS, OPERATIONS, Effect

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_READING = {name for name, made in OPERATIONS.items() if any(one.effect is Effect.READS for one in made)}
_FORMATS = frozenset({"json.load", "yaml.safe_load", "yaml.load", "pickle.load", "tomllib.load", "input"})
_INPUT = frozenset({*_FORMATS, *_READING, *(name.removeprefix("builtins.") for name in OPENINGS)})
_DEEPEST = 2


def changed_fields(
    function: Function, call: ir.Call, owner: ir.Expression
) -> Iterator[tuple[ir.Expression, ir.Expression | None, bool]]:
    """The fields that a method of the project assigns a value which it reads from a file, or draws."""
    bound = function.bound(call)
    entity = bound.callee.entity if bound is not None else None
    target = function.project.function(*entity.key) if isinstance(entity, FunctionReference) else None
    if target is None or target.self_name is None or target.key == function.key:
        return
    for step in target.ir.steps():
        if _sets_fields(step, target.self_name) and reads(function, call):
            yield owner, None, True
        if isinstance(step, ir.Assign) and step.value is not None:
            is_read = any(reads(target, inner) for inner in _calls(step.value))
            fields = [one for one in step.targets if isinstance(one, ir.Attribute)] if is_read else []
            own = (one.attr for one in fields if ir.dotted(one.value) == target.self_name)
            yield from ((ir.Attribute(call.span, owner, name), None, False) for name in own)


def _sets_fields(step: ir.Step, self_name: str) -> bool:
    """Whether a step of a method sets fields whose names are not in the text."""
    match step:
        case ir.Evaluate(expression=ir.Call(func=ir.Name(id="setattr"), args=(owner, *_))):
            return ir.dotted(owner.value) == self_name
        case ir.Evaluate(expression=ir.Call(func=ir.Attribute(value=ir.Call(args=(owner,)) as table, attr="update"))):
            return ir.dotted(table.func) == "vars" and ir.dotted(owner.value) == self_name
        case ir.Evaluate(expression=ir.Call(func=ir.Attribute(value=table, attr="update"))):
            return ir.dotted(table) == f"{self_name}.__dict__"
    return False


def reads(function: Function, call: ir.Call, depth: int = 0) -> bool:
    """Whether a call reads a file or asks the user, directly or in the functions that it runs."""
    bound = function.bound(call)
    if bound is None:
        return False
    if bound.operation is not None:
        return False  # what a rank receives is meant for it, as in a pipeline
    if function.project.canonical(bound.dotted or "").removeprefix("builtins.") in _INPUT:
        return True
    entity = bound.callee.entity
    target = function.project.function(*entity.key) if isinstance(entity, FunctionReference) else None
    if target is None or depth == _DEEPEST:
        return False
    return any(reads(target, inner.call, depth + 1) for inner in target.calls())


def _calls(value: ir.Expression) -> Iterator[ir.Call]:
    return (node for node in ir.walk(value) if isinstance(node, ir.Call))
