"""The communicator passed to a function: a parameter, or a field that the constructor of its class fills."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import EITHER, Communicator, Value
from jaxmpi_lint.analysis.model.classes import is_class_method
from jaxmpi_lint.analysis.uniformity.annotations import annotates_communicator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxmpi_lint.analysis.lattice.interfaces import ClassDefinition, Function

_GIVEN_A_CLASS = frozenset({"__class_getitem__", "__init_subclass__", "__new__"})


@dataclass(frozen=True, slots=True)
class OwnCommunicator:
    """The expression for the communicator passed to a function, and its origin."""

    text: str
    names: frozenset[str]
    module: ir.Module
    span: ir.Span
    may_be_none: bool = False

    def is_meant(self, communicator: Communicator | None) -> bool:
        """Whether a communicator is the given one, a duplicate of it, or a choice that includes it."""
        if communicator is None:
            return False
        names = communicator.alternatives | set(communicator.context.split(EITHER))
        return bool(names & self.names)


def own_communicator(function: Function) -> OwnCommunicator | None:
    """The one communicator passed to a function; None if there is none, or more than one."""
    scope: Function | None = function
    while scope is not None and scope.ir.kind != "module":
        found = list(_of_parameters(scope))
        if found:
            hidden = scope is not function and function.is_local(found[0].text)
            return found[0] if len(found) == 1 and not hidden else None
        scope = scope.parent
    return _of_class(function)


def _of_parameters(function: Function) -> Iterator[OwnCommunicator]:
    initial = function.initial_environment()
    for parameter in function.ir.parameters:
        entity = initial.get(parameter.name, Value()).entity
        if isinstance(entity, Communicator) and parameter.name != function.self_name:
            optional = ir.is_none(parameter.default)
            names = frozenset({entity.context})
            yield OwnCommunicator(parameter.name, names, function.module, parameter.span, optional)


def _of_class(function: Function) -> OwnCommunicator | None:
    own = function.self_name
    if own is None or function.ir.owner is None or function.ir.owner not in function.module.classes:
        return None
    if is_class_method(function.ir) or function.ir.name in _GIVEN_A_CLASS:
        return None
    for model in function.module_model.class_model(function.ir.owner).linearization:
        found = [*_filled_fields(model, own), *_declared_fields(model, own)]
        if found:
            same = len({candidate.names for candidate in found}) == 1
            return min(found, key=lambda candidate: len(candidate.text)) if same else None
    return None


def _filled_fields(model: ClassDefinition, own: str) -> Iterator[OwnCommunicator]:
    """Fields that hold a parameter of the constructor, or a duplicate of it."""
    qualname = model.ir.methods.get("__init__")
    if qualname is None:
        return
    constructor = model.module_model.function(qualname)
    given = {next(iter(candidate.names)): candidate for candidate in _of_parameters(constructor)}
    for name, value in model.fields.items():
        if isinstance(value.entity, Communicator):
            for part in sorted(value.entity.alternatives & set(given)):
                yield replace(given[part], text=f"{own}.{name}")


def _declared_fields(model: ClassDefinition, own: str) -> Iterator[OwnCommunicator]:
    """Fields of a data class that its body declares to be communicators."""
    if not any("dataclass" in (ir.dotted(node) or "") for d in model.ir.decorators for node in ir.walk(d)):
        return
    body = model.module_model.function(model.ir.body)
    for step in body.ir.steps():
        match step:
            case ir.Assign(targets=(ir.Name(id=name),), annotation=annotation) if annotation is not None:
                entity = body.flow.exit.get(name, Value()).entity
                if isinstance(entity, Communicator) and annotates_communicator(body, annotation):
                    yield OwnCommunicator(f"{own}.{name}", frozenset({entity.context}), body.module, step.span)
