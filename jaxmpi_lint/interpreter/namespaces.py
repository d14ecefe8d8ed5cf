"""The dicts that hold the names of modules and the fields of objects: what is written there reaches the owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import open_tables
from jaxmpi_lint.interpreter.container_values import Names
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Cut, FunctionValue, Instance, ModuleValue, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_OF_ALL_MODULES = ("__file__", "__builtins__", "__spec__", "__loader__", "__package__")


def fields(rank: Rank, owner: Value) -> Value:
    """``owner.__dict__``; a symbol for an owner whose fields are not followed."""
    table = getattr(owner, "table", None)
    if isinstance(owner, ModuleValue):
        return names(rank, owner)
    if isinstance(owner, (Instance, FunctionValue)):
        return owner.fields
    return rank.symbol("variables", owner) if table is None else table(rank)


def names(rank: Rank, module: ModuleValue) -> Names:
    """The global names of a module; those of a library that it imports as a whole are not among them."""
    found = module.scope.names
    assert isinstance(found, Names)
    if "*star" in found:
        raise Cut("the names of a module with those of a library")
    for name in _OF_ALL_MODULES:
        if name not in found:
            found[name] = rank.builtin(name, module)
    return found


def local(rank: Rank, frame: Frame) -> dict[str, Value]:
    """``locals()``: the names of a module or class, a copy of those of a function."""
    if frame.function.kind == "module":
        return names(rank, frame.scope.module)
    return dict(frame.scope.names) if frame.callee is not None else frame.scope.names


def replace(rank: Rank, table: dict[str, Value], value: Value) -> dict[str, Value]:
    """The fields of an object after ``owner.__dict__ = value``."""
    if isinstance(value, dict):
        return value
    source = value if isinstance(value, Symbol) else rank.symbol("variables", value)
    open_tables.update(rank, table, source)
    return table
