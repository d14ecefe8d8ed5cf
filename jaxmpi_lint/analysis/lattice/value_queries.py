"""Predicates on the kinds of values."""

from __future__ import annotations

from functools import cache

from jaxmpi_lint.analysis.lattice.lattice import (
    Container,
    Instance,
    Literal,
    Named,
    Record,
    ResultOf,
    Unordered,
    Value,
)
from jaxmpi_lint.library.python.divergence_sources import WEAK_CONTAINERS
from jaxmpi_lint.library.python.numpy_dtypes import NAMES, SCALARS

TEXT = "builtins.str"
"""The operation of which formatted text counts as the result."""

NUMBER = "builtins.float"
"""The operation of which an element of a row of numbers counts as the result."""


@cache
def names_class(dotted: str) -> bool:
    """Whether a name looks like that of a class; names in capitals are constants or functions that return them."""
    if dotted == "jax.random.PRNGKey":
        return False
    last = dotted.rpartition(".")[2].lstrip("_")
    return last[:1].isupper() and not last.isupper()


def is_weak(value: Value) -> bool:
    """Whether it is a container that loses its contents when the garbage collector runs."""
    return isinstance(value.entity, ResultOf) and value.entity.operation in WEAK_CONTAINERS


def is_certain(value: Value) -> bool:
    """Whether it is provably not None: a different constant, a container, an object of the project."""
    known = isinstance(value.entity, (Literal, Container, Record, Unordered, Instance)) or value.elements is not None
    return known and not is_none(value)


def is_result_of(value: Value, operation: str) -> bool:
    """Whether it is the result of a library call of this name."""
    return isinstance(value.entity, ResultOf) and value.entity.operation == operation


def is_text(value: Value) -> bool:
    """Whether it is a string, literal or formatted."""
    return is_result_of(value, TEXT) or (isinstance(value.entity, Literal) and value.entity.kind == "str")


def is_none(value: Value) -> bool:
    """Whether it is None."""
    return isinstance(value.entity, Literal) and value.entity.value is None


def all_text(values: list[Value]) -> bool:
    """Whether there are values, and all of them are string literals."""
    return bool(values) and all(isinstance(v.entity, Literal) and v.entity.kind == "str" for v in values)


def holds_text(arguments: list[Value]) -> bool:
    """Whether the only argument provably contains strings."""
    if len(arguments) != 1:
        return False
    entity, elements = arguments[0].entity, arguments[0].elements
    if isinstance(entity, Record):
        return bool(entity.keys) and all(isinstance(key, str) for key in entity.keys)
    return entity.text if isinstance(entity, Unordered) else all_text(list(elements or ()))


def dtype_named(value: Value) -> str | None:
    """The dtype that a value denotes: ``numpy.float32``, ``"f4"`` or the class ``float``."""
    match value.entity:
        case Named(dotted):
            package, _, name = dotted.rpartition(".")
            if package == "numpy" or (package in ("", "builtins") and name in SCALARS):
                return NAMES.get(name) if len(name) > 1 else None
        case Literal(str() as text, _):
            return NAMES.get(text)
    return None
