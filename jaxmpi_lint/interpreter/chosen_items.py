"""An item of a list of objects at an index that is not known: an object of their class.

A field that is equal in all of them keeps its value, the others are computed from the list and the index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import arrays
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Instance, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_PLAIN = (int, float, str, type(None))


def chosen(rank: Rank, items: Sequence[Value] | str | bytes, index: Symbol) -> Value:
    """The item at an index; a symbol if they are not objects of one class of the program."""
    first = items[0] if items else None
    objects = [one for one in items if isinstance(one, Instance)]
    if not isinstance(first, Instance) or len(objects) < len(items):
        return rank.symbol("item", items, index)
    if any(one.cls is not first.cls or one.fields.keys() != first.fields.keys() for one in objects):
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
