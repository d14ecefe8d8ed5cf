"""Variables and fields that hold arrays wherever the project binds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.library.python.array_shapes import ARRAY_ANNOTATIONS, MAKERS_OF_ARRAYS, MAKERS_OF_SEVERAL_ARRAYS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment


class FieldArrays:
    """The fields of objects that are arrays in all classes that have them; ``project.get(FieldArrays)``."""

    def __init__(self, project: Program) -> None:
        self._found: dict[str, bool] = {}
        for module in project.modules():
            for name, is_array in (*_annotated(module.ir), *_assigned(module.functions())):
                self._found[name] = is_array and self._found.get(name, True)

    def has(self, field: str) -> bool:
        """Whether every field of this name is annotated or assigned as an array."""
        return self._found.get(field, False)


def holds_array(function: Function, expression: ir.Expression, env: Environment) -> bool:
    """Whether an expression is an array: a field of that name, or a variable that is bound once, to a new array."""
    match expression:
        case ir.Attribute(attr=field):
            return bool(function.project.get(FieldArrays).has(field))
        case ir.Name(id=name) if function.is_local(name) and name not in function.bound_otherwise:
            values = list(function.assignments.get(name, {}).values())
            return len(values) == 1 and _is_made(function, values[0], env)
    return False


def _annotated(module: ir.Module) -> Iterator[tuple[str, bool]]:
    for found in module.classes.values():
        for step in module.functions[found.body].steps():
            if isinstance(step, ir.Assign) and step.annotation is not None and isinstance(step.targets[0], ir.Name):
                names = {ir.dotted(node) or "" for node in ir.walk(step.annotation)}
                is_array = any(name.rpartition(".")[2] in ARRAY_ANNOTATIONS for name in names)
                yield step.targets[0].id, is_array and not isinstance(step.annotation, ir.Subscript)


def _assigned(functions: Iterable[Function]) -> Iterator[tuple[str, bool]]:
    for function in functions:
        for step in function.ir.steps():
            if isinstance(step, ir.Assign) and step.value is not None:
                for target in step.targets:
                    if isinstance(target, ir.Attribute):
                        yield target.attr, _is_made(function, step.value, function.flow.exit)


def _is_made(function: Function, value: ir.Expression, env: Environment) -> bool:
    """Whether a value is a new array: the result of a call, or one of the arrays of ``nonzero``."""
    if isinstance(value, ir.Subscript) and isinstance(value.index, ir.Constant):
        return _dotted(function, value.value, env) in MAKERS_OF_SEVERAL_ARRAYS
    return _dotted(function, value, env) in MAKERS_OF_ARRAYS


def _dotted(function: Function, value: ir.Expression, env: Environment) -> str:
    entity = function.value(value.func, env).entity if isinstance(value, ir.Call) else None
    return function.project.canonical(entity.dotted) if isinstance(entity, Named) else ""
