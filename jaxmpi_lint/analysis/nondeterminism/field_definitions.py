"""Fields of objects: the expressions that the methods of a class assign to them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, Instance

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ClassDefinition, Function, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment

Definition = tuple["Function", ir.Expression]


class FieldDefinitions:
    """The plain assignments to the fields of a project's classes; a service of the project."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._known: dict[tuple[str, str, str], tuple[Definition, ...] | None] = {}

    def of(self, function: Function, node: ir.Attribute, env: Environment) -> tuple[Definition, ...] | None:
        """Every value that a method assigns; None if other functions assign to the field, or a method sorts it."""
        model = self._owner(function, node, env)
        if model is None or node.attr in self._written_elsewhere:
            return None
        key = model.reference.path, model.reference.qualname, node.attr
        if key not in self._known:
            self._known[key] = self._found(model, node.attr)
        return self._known[key]

    def is_written_elsewhere(self, field: str) -> bool:
        """Whether a function assigns to a field of this name in any way other than a plain assignment in a method."""
        return field in self._written_elsewhere

    def is_of_project(self, function: Function, node: ir.Attribute, env: Environment) -> bool:
        """Whether an attribute is that of an object of a known class."""
        return self._owner(function, node, env) is not None

    def _owner(self, function: Function, node: ir.Attribute, env: Environment) -> ClassDefinition | None:
        owner = function.value(node.value, env).entity
        return self._project.class_model(owner) if isinstance(owner, (ClassReference, Instance)) else None

    def _found(self, model: ClassDefinition, field: str) -> tuple[Definition, ...] | None:
        found: list[Definition] = []
        for parent in model.linearization:
            for qualname in parent.ir.methods.values():
                method = parent.module_model.function(qualname)
                own = method.self_name
                if own is None or not parent.module_model.names((field,)):
                    continue
                path = f"{own}.{field}"
                if path in method.sorted_places:
                    return None
                found += [(method, value) for value in method.assignments.get(path, {}).values()]
        return tuple(found)

    @cached_property
    def _written_elsewhere(self) -> frozenset[str]:
        """The fields that are assigned in any way other than a plain assignment in a method."""
        return frozenset(
            field
            for model in self._project.modules()
            for function in model.functions()
            for place in function.places_stored
            if not (isinstance(place, ir.Attribute) and ir.dotted(place.value) == function.self_name)
            for field in _fields_stored(place)
        )


def _fields_stored(place: ir.Expression) -> Iterator[str]:
    """The fields that an assignment target is, or contains; the store of an element is none."""
    if isinstance(place, ir.Collection):
        for part in place.elements:
            yield from _fields_stored(part)
    inner = place.value if isinstance(place, ir.Starred) else place
    if isinstance(inner, ir.Attribute):
        yield inner.attr
