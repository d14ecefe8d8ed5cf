"""Annotations of parameters and variables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import UNKNOWN, ClassReference, Communicator, Instance, Named, ResultOf, Value

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

COMMUNICATOR_CLASSES = frozenset(
    f"mpi4py.MPI.{name}"
    for name in ("Comm", "Intracomm", "Intercomm", "Cartcomm", "Graphcomm", "Distgraphcomm", "Topocomm")
)
_PLAIN = ("bool", "int", "float", "str", "bytes")
_TEXTS = ("Comm", "Intracomm", "Intercomm", "Cartcomm")


def annotates_communicator(function: Function, annotation: ir.Expression) -> bool:
    """Whether an annotation (a string or an Optional included) names a communicator class."""
    for node in ir.walk(annotation):
        if isinstance(node, ir.Constant) and isinstance(node.value, str):
            if node.value.replace('"', "").rpartition(".")[2] in _TEXTS:
                return True
        elif isinstance(node, (ir.Attribute, ir.Name)):
            entity = function.module_model.named(node).entity
            if isinstance(entity, Named) and entity.dotted in COMMUNICATOR_CLASSES:
                return True
    return False


def is_plain_value(parameter: ir.Parameter) -> bool:
    """Whether a parameter is a flag, a number or a text, by its annotation or by its default."""
    if isinstance(parameter.default, ir.Constant) and parameter.default.value is not None:
        return True
    return parameter.annotation is not None and ir.dotted(parameter.annotation) in _PLAIN


def is_communicator_by_default(function: Function, parameter: ir.Parameter) -> bool:
    """Whether the default of a parameter is a communicator."""
    if not isinstance(parameter.default, (ir.Name, ir.Attribute)):
        return False
    return isinstance(function.module_model.named(parameter.default).entity, Communicator)


def annotated_instance(function: Function, annotation: ir.Expression, key: str) -> Value | None:
    """An object of a class of the project, if a parameter's annotation names that class."""
    if not isinstance(annotation, (ir.Name, ir.Attribute)):
        return None
    entity = function.module_model.named(annotation).entity
    if isinstance(entity, Named) and function.project.catalogue.has_class(entity.dotted):
        return library_object(function, entity.dotted, annotation.span, key)
    if not isinstance(entity, ClassReference):
        return None
    return Value(Instance(entity.path, entity.qualname, key), UNKNOWN, UNKNOWN, UNKNOWN)


def library_object(function: Function, dotted: str, span: ir.Span, key: str) -> Value:
    """A parameter that is an object of a class of a library, with the communicator that the caller's object has."""
    made = ResultOf(function.project.catalogue.canonical(dotted), function.module.path, span)
    if not function.project.catalogue.is_on_communicator(dotted):
        return Value(made)
    own = function.project.guessed_communicator(key, key.rpartition(":")[2]).entity
    return Value(replace(made, communicator=own) if isinstance(own, Communicator) else made)
