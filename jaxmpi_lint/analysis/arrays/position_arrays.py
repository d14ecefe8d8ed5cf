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
    """The names that the bodies of classes bind, with whether their annotation is that of an array."""
    for found in module.classes.values():
        for step in module.functions[found.body].steps():
            if isinstance(step, ir.Assign) and isinstance(step.targets[0], ir.Name):
                yield step.targets[0].id, _is_of_array(step.annotation)


def _is_of_array(annotation: ir.Expression | None) -> bool:
    """Whether an annotation is an array and no container of arrays: ``np.ndarray``, ``NDArray[np.int64]``."""
    held = annotation.value if isinstance(annotation, ir.Subscript) else annotation
    return held is not None and (ir.dotted(held) or "").rpartition(".")[2] in ARRAY_ANNOTATIONS


def _assigned(functions: Iterable[Function]) -> Iterator[tuple[str, bool]]:
    """The fields that are assigned, with whether the value is a new array; parts of a tuple may be anything."""
    for function in functions:
        assignments = (step for step in function.ir.steps() if isinstance(step, ir.Assign))
        for value, target in ((step.value, target) for step in assignments for target in step.targets):
            whole = value if isinstance(target, ir.Attribute) else None
            is_array = whole is not None and _is_made(function, whole, function.flow.exit)
            yield from ((field, is_array) for field in _fields(target))


def _fields(target: ir.Expression) -> Iterator[str]:
    """The fields that a target binds."""
    match target:
        case ir.Attribute(attr=field):
            yield field
        case ir.Collection(elements=elements):
            for element in elements:
                yield from _fields(element)
        case ir.Starred(value=inner):
            yield from _fields(inner)


def _is_made(function: Function, value: ir.Expression, env: Environment) -> bool:
    """Whether a value is a new array: the result of a call, or one of the arrays of ``nonzero``."""
    if isinstance(value, ir.Subscript) and isinstance(value.index, ir.Constant):
        return _dotted(function, value.value, env) in MAKERS_OF_SEVERAL_ARRAYS
    return _dotted(function, value, env) in MAKERS_OF_ARRAYS


def _dotted(function: Function, value: ir.Expression, env: Environment) -> str:
    entity = function.value(value.func, env).entity if isinstance(value, ir.Call) else None
    return function.project.canonical(entity.dotted) if isinstance(entity, Named) else ""
