"""Calls of functions that no program of the project calls: on all ranks, with equal arguments that are not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import calls
from jaxmpi_lint.interpreter.construction import construct
from jaxmpi_lint.interpreter.values import BoundMethod, ClassValue, Cut, FunctionValue, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.entries import Entry
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def call_alone(rank: Rank, entry: Entry) -> Running:
    """Import the file, then call the function; a method of an object that is made for it."""
    module = yield from rank.run_module(entry.module, entry.module.name)
    owner, _, name = entry.function.rpartition(".")
    value = module.scope.names.get(owner or name)
    value = getattr(value, "wrapped", value)  # a function that a command line calls
    if isinstance(value, ClassValue):
        method, start = value.find(name), value.find("__init__")
        if not isinstance(method, FunctionValue):
            raise Cut("a method that is not found")
        given = _without_own(start, _arguments(rank, entry, start)) if isinstance(start, FunctionValue) else {}
        made = yield from construct(rank, value, (), given, method.ir.name_span)
        bound: Value = BoundMethod(method, made)
    else:
        bound = method = value
    if not isinstance(method, FunctionValue):
        raise Cut("a function that is not found")
    given = _arguments(rank, entry, method)
    if isinstance(bound, BoundMethod):
        given = _without_own(method, given)
    return (yield from calls.call(rank, bound, (), given, method.ir.name_span))


def _without_own(method: FunctionValue, given: dict[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in given.items() if name != method.ir.parameters[0].name}


def _arguments(rank: Rank, entry: Entry, function: FunctionValue) -> dict[str, Value]:
    """COMM_WORLD for a communicator, the default if there is one, a symbol for every other parameter."""
    given: dict[str, Value] = {}
    for parameter in function.ir.parameters:
        if parameter.name in entry.communicators:
            given[parameter.name] = rank.models.constant(rank, "mpi4py.MPI.COMM_WORLD")
        elif parameter.kind not in ("star", "double-star") and parameter.name not in function.defaults:
            given[parameter.name] = rank.symbol("argument", function.ir.qualname, parameter.name)
    return given
