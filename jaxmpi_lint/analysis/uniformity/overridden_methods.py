"""Methods that call others of their object: in an object of a derived class, these may be different functions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import reads_anywhere
from jaxmpi_lint.analysis.lattice.lattice import UNIFORM, UNKNOWN, ClassReference, Instance, Value
from jaxmpi_lint.analysis.lattice.limits import DERIVED_CLASSES

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ClassDefinition, Function, Program


class OverriddenMethods:
    """The derived classes of a project, and the methods that run differently in their objects."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._runs: dict[tuple[str, str], list[Function]] = {}

    def changes(self, method: Function, owner: Instance | ClassReference) -> bool:
        """Whether a method that a class inherits calls others that the class overrides."""
        derived, base = self._project.class_model(owner), _class_of(method)
        if derived is None or base is None or method.self_name is None or derived.ir is base.ir:
            return False
        return any(derived.method(name) != base.method(name) for name in _asked_of_itself(method))

    def runs(self, method: Function) -> list[Function]:
        """The method once more for each derived class in which it runs differently, for an object of that class."""
        if method.key not in self._runs:
            found = list(self._made(method)) if method.self_name is not None else []
            self._runs[method.key] = found[:DERIVED_CLASSES]
        return self._runs[method.key]

    def _made(self, method: Function) -> Iterator[Function]:
        base = _class_of(method)
        for derived in self._derived.get(base.reference, ()) if base is not None else ():
            inherited = derived.method(method.ir.name)
            if inherited is not None and inherited.key == method.key and self.changes(method, derived.reference):
                path, qualname = derived.reference.path, derived.reference.qualname
                own = Value(Instance(path, qualname, "self"), UNKNOWN, UNKNOWN, UNIFORM)
                assert method.self_name is not None
                yield method.run_with({method.self_name: own})

    @cached_property
    def _derived(self) -> dict[ClassReference, list[ClassDefinition]]:
        """The derived classes of each class, directly or indirectly."""
        found: dict[ClassReference, list[ClassDefinition]] = {}
        for model in self._project.modules():
            for qualname in model.ir.classes:
                derived = model.class_model(qualname)
                for base in derived.linearization[1:]:
                    found.setdefault(base.reference, []).append(derived)
        return found


def _class_of(method: Function) -> ClassDefinition | None:
    owner = method.ir.owner
    return method.module_model.class_model(owner) if owner in method.module_model.ir.classes and owner else None


def _asked_of_itself(method: Function) -> frozenset[str]:
    """The attributes that a method reads of its own object."""
    return frozenset(
        node.attr
        for expression in reads_anywhere(method.ir)
        for node in ir.walk(expression)
        if isinstance(node, ir.Attribute) and isinstance(node.value, ir.Name) and node.value.id == method.self_name
    )
