"""Classes of the project: their fields, properties and methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import is_computed_from
from jaxmpi_lint.analysis.lattice.communicator_substitution import substitute
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    ClassReference,
    Entity,
    FunctionReference,
    Instance,
    Literal,
    Named,
    Value,
)
from jaxmpi_lint.analysis.model.base_constructors import BaseConstructors
from jaxmpi_lint.analysis.uniformity.implicit_calls import is_property
from jaxmpi_lint.library.python.container_methods import REDUCING, SHAPE_KEEPING

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ClassDefinition, Function, Module


_COMPUTING = frozenset({"builtins", "math", "numpy"})
"""Modules whose functions do not communicate."""


class ClassModel:
    """One class, with the base classes that can be resolved."""

    def __init__(self, model: Module, definition: ir.Class) -> None:
        self.module_model = model
        self.project = model.project
        self.ir = definition
        self._fields: dict[str, Value] | None = None
        self.base_constructors = BaseConstructors(self)

    @property
    def reference(self) -> ClassReference:
        """The class as a value."""
        return ClassReference(self.module_model.ir.path, self.ir.qualname)

    @cached_property
    def direct_bases(self) -> tuple[Entity | None, ...]:
        """Each direct base, None for an unknown one: it may be a different class with the same name."""
        evaluator = self.module_model.body.evaluator
        found = (evaluator.value(base, {}).entity for base in self.ir.bases)
        return tuple(entity if entity != self.reference else None for entity in found)

    @cached_property
    def bases(self) -> tuple[ClassReference | Named, ...]:
        """Resolved direct bases."""
        return tuple(entity for entity in self.direct_bases if isinstance(entity, (ClassReference, Named)))

    @cached_property
    def linearization(self) -> tuple[ClassDefinition, ...]:
        """This class and its project bases, depth first."""
        found: list[ClassDefinition] = []
        stack: list[ClassDefinition] = [self]
        while stack:
            model = stack.pop()
            if model in found:
                continue
            found.append(model)
            for base in reversed(model.bases):
                parent = self.project.class_model(base) if isinstance(base, ClassReference) else None
                if parent is not None:
                    stack.append(parent)
        return tuple(found)

    @cached_property
    def library_bases(self) -> frozenset[str]:
        """Dotted names of the library classes that it derives from, directly or indirectly."""
        return frozenset(base.dotted for model in self.linearization for base in model.bases if isinstance(base, Named))

    def method(self, name: str) -> FunctionReference | None:
        """A method by name, base classes included."""
        for model in self.linearization:
            if name in model.ir.methods:
                method = model.module_model.ir.functions[model.ir.methods[name]]
                return FunctionReference(model.module_model.ir.path, method.qualname, not is_static(method))
        return None

    def member(self, name: str, owner: Instance | ClassReference) -> Value:
        """The value of ``owner.name``."""
        reference = self.method(name)
        if reference is not None:
            return self._method_value(reference, owner)
        for model in self.linearization:
            value = model.fields.get(name)
            if value is not None:
                if model is not self:
                    value = substitute(value, self.base_constructors.groups())
                if not isinstance(owner, Instance) or owner.key == "self":
                    return value
                parameter = model.fields_from_parameters.get(name) if value.entity is None else None
                if parameter is not None:
                    return self.project.objects.argument(owner, parameter)
                return self.project.objects.field(value, owner)
        for model in self.linearization:
            body = model.module_model.function(model.ir.body)
            if body.is_local(name) and not self.project.is_running(body):
                return body.flow.exit.get(name, NOTHING)
        return NOTHING

    def _method_value(self, reference: FunctionReference, owner: Instance | ClassReference) -> Value:
        function = self.project.function(reference.path, reference.qualname)
        assert function is not None
        if is_property(function.ir):
            if self.project.is_running(function):
                return NOTHING
            returned = function.flow.returns
            if returned is None or not isinstance(owner, Instance) or owner.key == "self":
                return returned if returned is not None else NOTHING
            return self.project.objects.field(returned, owner)
        bound = reference.bound and (isinstance(owner, Instance) or is_class_method(function.ir))
        held = owner if bound and isinstance(owner, Instance) and owner.key != "self" else None
        return Value.uniform(FunctionReference(reference.path, reference.qualname, bound, owner=held))

    @cached_property
    def _writers(self) -> list[str]:
        """Methods that assign to fields of their first parameter, the constructor first."""
        found: list[str] = []
        for name in sorted(self.ir.methods, key=lambda method: method != "__init__"):
            qualname = self.ir.methods[name]
            function = self.module_model.ir.functions[qualname]
            if function.parameters and _writes_fields(function):
                found.append(qualname)
        return found

    @cached_property
    def fields_from_parameters(self) -> dict[str, str]:
        """Fields that keep an argument of the constructor: ``self.a = b``, with no other assignment."""
        kept: dict[str, str] = {}
        written: list[str] = []
        for qualname in self._writers:
            function = self.module_model.ir.functions[qualname]
            own, names = function.parameters[0].name, {parameter.name for parameter in function.parameters}
            for step in function.steps():
                for target in step.targets if isinstance(step, ir.Assign) else ():
                    if isinstance(target, ir.Attribute) and ir.dotted(target.value) == own:
                        written.append(target.attr)
                        value = step.value if isinstance(step, ir.Assign) else None
                        if function.name == "__init__" and isinstance(value, ir.Name) and value.id in names:
                            kept[target.attr] = value.id
        return {name: parameter for name, parameter in kept.items() if written.count(name) == 1}

    def forget(self) -> None:
        """Discard facts from methods whose data flow was computed before the program was complete."""
        self._fields = None
        self.base_constructors.forget()

    @property
    def fields(self) -> dict[str, Value]:
        """The values that the methods assign to fields; during their computation, the values known so far."""
        if self._fields is not None:
            return self._fields
        collected: dict[str, Value] = {}
        self._fields = collected
        written: list[Function] = []
        complete = True
        writers = [self.module_model.function(qualname) for qualname in self._writers]
        for function in writers:
            if self.project.is_running(function):
                complete = False
                continue
            _join(collected, function.flow.field_writes.items())
            if not written:  # the constructor: the data flow of the other methods depends on its fields
                _join(collected, _chosen(function, writers, _computes_on), known_only=True)
            written.append(function)
        for function in written:
            _join(collected, _chosen(function, written, _keeps_apart), known_only=True)
        if not complete:
            self._fields = None
        return collected


def _join(fields: dict[str, Value], writes: Iterable[tuple[str, Value]], known_only: bool = False) -> None:
    """Add values to those of fields; ``known_only``: not of a field of a base class that is changed in place."""
    for name, value in writes:
        if name in fields:
            fields[name] = fields[name].join(value)
        elif not known_only:
            fields[name] = value


def _chosen(
    method: Function, writers: Iterable[Function], keeps_apart: Callable[[Function, str], bool]
) -> Iterator[tuple[str, Value]]:
    """The fields that a method assigns by a test that differs, and that no other method may equalise."""
    for name, value in method.flow.chosen_fields.items():
        if all(keeps_apart(other, name) for other in writers if other is not method):
            yield name, value


def _keeps_apart(method: Function, field: str) -> bool:
    """Whether a method assigns nothing to a field but constants, or what it computes from the field itself."""
    write = method.flow.field_writes.get(field)
    return write is None or isinstance(write.entity, Literal) or _computes_on(method, field)


def _computes_on(method: Function, field: str) -> bool:
    """The same by the text alone; such a method calls nothing but functions of modules and methods of arrays."""
    path = f"{method.self_name}.{field}"
    values = method.assignments.get(path, {}).values()
    kept = all(
        isinstance(value, ir.Constant) or (value is not None and is_computed_from(method, value, path))
        for value in values
    )
    if not kept or (not values and _stores(method, path)):
        return False
    return not values or all(_is_local_computation(method, call.func) for call in method.ir.calls())


def _stores(method: Function, path: str) -> bool:
    """Whether a method binds a field at all."""
    targets = (target for step in method.ir.steps() if isinstance(step, ir.Assign) for target in step.targets)
    return any(ir.dotted(node) == path for target in targets for node in ir.walk(target))


def _is_local_computation(method: Function, called: ir.Expression) -> bool:
    root = ir.root(called)
    if isinstance(root, ir.Name) and not method.is_local(root.id):
        entity = method.module_model.named(root).entity
        return isinstance(entity, Named) and entity.dotted.partition(".")[0] in _COMPUTING
    return isinstance(called, ir.Attribute) and called.attr in REDUCING | SHAPE_KEEPING


def is_static(function: ir.Function) -> bool:
    """Whether a method receives neither the object nor the class."""
    return any(ir.dotted(decorator) == "staticmethod" for decorator in function.decorators)


def is_class_method(function: ir.Function) -> bool:
    """Whether a method receives the class."""
    return any(ir.dotted(decorator) == "classmethod" for decorator in function.decorators)


def _writes_fields(function: ir.Function) -> bool:
    own = function.parameters[0].name
    for step in function.steps():
        if isinstance(step, ir.Assign):
            for target in step.targets:
                for node in ir.walk(target) if not isinstance(target, ir.Name) else ():
                    if isinstance(node, ir.Attribute) and isinstance(node.value, ir.Name) and node.value.id == own:
                        return True
    return False
