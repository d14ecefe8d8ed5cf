"""Containers that are taken apart: targets of assignments, starred arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.raised import fail, unfit
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import (
    MISSING,
    BoundMethod,
    ClassValue,
    Cut,
    FunctionValue,
    GeneratorValue,
    Instance,
    Iterator,
    Library,
    Value,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def items(rank: Rank, value: Value) -> list[Value]:
    """The elements of a container that is unpacked as a whole."""
    if isinstance(value, Symbol):
        raise Cut("unpacking of an unknown container")
    return list(rank.passes(value))


def arguments(rank: Rank, function: Value, given: int, value: Value) -> list[Value]:
    """The elements of a starred argument; of the arguments of the program, as many as the function requires.

    So it is for all containers whose number of items is not known. What they are does not matter to a function without
    effects, whose result is not known then.
    """
    if isinstance(value, Symbol) and isinstance(function, Library) and _is_open(rank, function.dotted):
        return [rank.symbol("starred", value)]
    is_guessed = isinstance(value, GuessedList) or (isinstance(value, Symbol) and "argv" in value.words())
    called, bound = _called(function)
    if not is_guessed or called is None:
        return items(rank, value)
    open_to = [one for one in called.ir.parameters[given + bound :] if one.kind in ("positional", "plain")]
    required = [one for one in open_to if one.name not in called.defaults]
    known = list(value)[: len(open_to)] if isinstance(value, GuessedList) else []
    kind = known[0].kind if known and isinstance(known[0], Symbol) else "" if known else "str"
    return known + [rank.symbol("item", value, position, kind=kind) for position in range(len(known), len(required))]


def _is_open(rank: Rank, dotted: str) -> bool:
    """Whether a function accepts arguments of which it is not known how many there are."""
    return dotted == "builtins.zip" or rank.models.is_pure(dotted)


def is_unknown(value: Value) -> bool:
    """Whether a value stands for any number of arguments."""
    return isinstance(value, Symbol) and value.key[0] == ("str", "starred")


def _called(function: Value) -> tuple[FunctionValue | None, int]:
    """The function of the program that a call of a value runs, and how many of its parameters have arguments."""
    match function:
        case FunctionValue():
            return function, 0
        case BoundMethod(function=FunctionValue() as method):
            return method, 1
        case ClassValue():
            made = function.find("__init__")
        case Instance(cls=cls):
            made = cls.find("__call__")
        case _:
            return None, 0
    return (made, 1) if isinstance(made, FunctionValue) else (None, 0)


def unpack(rank: Rank, target: ir.Expression, value: Value, bind: Callable[[str, Value], object]) -> None:
    """Bind the names of a target to the parts of a value; other targets are not supported here."""
    match target:
        case ir.Name(id=name):
            bind(name, value)
        case ir.Collection(elements=elements):
            for part, one in zip(elements, parts(rank, value, elements), strict=True):
                unpack(rank, part.value if isinstance(part, ir.Starred) else part, one, bind)
        case _:
            raise Cut("an unusual target")


def parts(rank: Rank, value: Value, targets: tuple[ir.Expression, ...]) -> list[Value]:
    """One value for each of several targets, of which one may be starred."""
    starred = [index for index, target in enumerate(targets) if isinstance(target, ir.Starred)]
    if value is None or (isinstance(value, (int, float)) and rank.expects("TypeError")):
        raise unfit(value)
    if isinstance(value, Symbol) or not _is_iterable(value):
        return [rank.symbol("unpacked", value, index, len(targets)) for index in range(len(targets))]
    found = rank.passes(value)
    if not starred:
        if len(found) != len(targets):
            raise Cut("unpacking of a guessed length") if _guessed(found) else fail("ValueError")
        return found
    first, rest = starred[0], len(targets) - starred[0] - 1
    if len(found) < len(targets) - 1:
        raise Cut("unpacking of a guessed length") if _guessed(found) else fail("ValueError")
    return [*found[:first], found[first : len(found) - rest], *found[len(found) - rest :]]


def _guessed(value: Value) -> bool:
    return isinstance(value, GuessedList)


def _is_iterable(value: Value) -> bool:
    if isinstance(value, Array):
        return value.shape is not None and len(value.shape) > 0
    if isinstance(value, Instance):
        tuples = (
            isinstance(base, Library) and base.dotted == "typing.NamedTuple" for base in value.cls.library_bases()
        )
        return value.cls.find("__iter__") is not MISSING or any(tuples)
    kinds = (list, tuple, dict, set, frozenset, str, range, Iterator, GeneratorValue)
    return isinstance(value, kinds) or hasattr(value, "items_for") or hasattr(value, "wrapped")
