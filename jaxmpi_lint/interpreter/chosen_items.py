"""An item of a list of objects at an index that is not known: an object of their class.

A field that is equal in all of them keeps its value, the others are computed from the list and the index.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import arrays
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import BoundMethod, ClassValue, FunctionValue, Instance, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_PLAIN = (int, float, str, type(None))


MAX_FUNCTIONS = 6
"""Functions of a table from which a value that is not known selects one."""


def look_up(rank: Rank, table: dict[Any, Value], key: Value) -> None:
    """Raise the exception of a key that is not there, where the world has it so."""
    is_there = rank.symbol("operation", "in", key, table, kind="bool")
    if not rank.truth(is_there):
        error = fail("KeyError", key)
        error.value.fields["*asked"] = ((is_there, False),)
        raise error


def chosen_function(rank: Rank, table: dict[Any, Value], key: Value) -> Value:
    """The function of a table that a key which is not known selects: the outcome is decided."""
    *others, last = table
    found = next((one for one in others if rank.truth(rank.binary("==", key, one))), last)
    return table[found]


def are_functions(values: Iterable[Value]) -> bool:
    """Whether all values are functions or classes of the program."""
    every = list(values)
    are_known = all(isinstance(one, (FunctionValue, ClassValue, BoundMethod)) for one in every)
    return are_known and 0 < len(every) <= MAX_FUNCTIONS


def chosen(rank: Rank, items: Sequence[Value] | str | bytes, index: Symbol) -> Value:
    """The item at an index; a symbol if they are not objects of one class of the program."""
    first = items[0] if items else None
    objects = [one for one in items if isinstance(one, Instance)]
    if not isinstance(first, Instance) or len(objects) < len(items):
        return rank.symbol("item", items, index)
    if any(one.cls != first.cls or one.fields.keys() != first.fields.keys() for one in objects):
        return rank.symbol("item", items, index)
    if len(items) == 1:
        return first
    kept = rank.state.setdefault("chosen items", {})
    key = (*map(id, objects), index)
    if key not in kept:
        kept[key] = objects, _made(rank, first, objects, index)  # the objects live on, and so do their numbers
    found: Value = kept[key][1]
    return found


def _made(rank: Rank, first: Instance, objects: list[Instance], index: Symbol) -> Instance:
    fields = {name: _field(rank, [one.fields[name] for one in objects], index) for name in first.fields}
    return Instance(first.cls, first.serial, fields)


def _field(rank: Rank, values: list[Value], index: Symbol) -> Value:
    first = values[0]
    if all(one is first for one in values[1:]):
        return first
    if isinstance(first, _PLAIN) and len({freeze(one) for one in values}) == 1:
        return first
    kinds = {one.kind if isinstance(one, Symbol) else type(one).__name__ for one in values}
    symbol = rank.symbol("item", values, index, kind=kinds.pop() if len(kinds) == 1 and not _is_array(values) else "")
    if _is_array(values) and len({(one.shape, one.dtype) for one in values}) == 1:
        return arrays.of_symbol(symbol, first.shape, first.dtype)
    return symbol


def _is_array(values: list[Value]) -> bool:
    return all(isinstance(one, Array) for one in values)
