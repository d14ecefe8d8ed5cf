"""Methods of built-in types: lists, dicts, sets, tuples, texts, numbers."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import calls, container_items, open_tables, operations
from jaxmpi_lint.interpreter.container_values import CommandLine, DefaultDict, GuessedList, View, alike
from jaxmpi_lint.interpreter.libraries.builtin_loops import elements, sort, stop_iteration
from jaxmpi_lint.interpreter.libraries.table_updates import update
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.raised import ProgramError, fail
from jaxmpi_lint.interpreter.values import EXHAUSTED, Cut, GeneratorValue, Iterator, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def _append(rank: Rank, items: list[Value], arguments: Arguments) -> Value:
    items.append(arguments.get(0))


def _extend(rank: Rank, items: list[Value], arguments: Arguments) -> Running:
    items.extend((yield from elements(rank, arguments.get(0))))


def _insert(rank: Rank, items: list[Value], arguments: Arguments) -> Value:
    at = arguments.get(0)
    if not isinstance(at, int):
        raise Cut("an unknown index of a list")
    items.insert(at, arguments.get(1))


def _pop(rank: Rank, items: list[Value], arguments: Arguments) -> Value:
    at = arguments.get(0, "", -1)
    if not isinstance(at, int) or (isinstance(items, GuessedList) and not items):
        raise Cut("an unknown index of a list")
    if not -len(items) <= at < len(items):
        raise fail("IndexError")
    return items.pop(at)


def _pop_left(rank: Rank, items: list[Value], arguments: Arguments) -> Value:
    return _pop(rank, items, Arguments((0,), {}))


def _remove(rank: Rank, items: list[Value], arguments: Arguments) -> Value:
    wanted = arguments.get(0)
    for position, item in enumerate(items):
        if item is wanted or (operations.is_plain(item) and operations.is_plain(wanted) and item == wanted):
            del items[position]
            return None
    if all(operations.is_plain(item) for item in items):
        raise fail("ValueError")
    raise Cut("an unknown element of a list")


def _sort(rank: Rank, items: list[Value], arguments: Arguments) -> Running:
    items[:] = yield from sort(rank, items, arguments)


def _reverse(rank: Rank, items: list[Value], arguments: Arguments) -> Value:
    items.reverse()


def _copy(rank: Rank, container: Value, arguments: Arguments) -> Value:
    if isinstance(container, GuessedList):
        return GuessedList(container)
    return container.copy()


def _clear(rank: Rank, container: Value, arguments: Arguments) -> Value:
    container.clear()


def _index(rank: Rank, items: Value, arguments: Arguments) -> Value:
    wanted = arguments.get(0)
    bounds = arguments.values[1:]
    are_known = all(map(operations.is_plain, (wanted, *bounds))) and not isinstance(items, GuessedList)
    if are_known and all(operations.is_plain(item) for item in items):
        try:
            return items.index(wanted, *bounds)
        except (ValueError, TypeError) as error:
            raise fail(type(error).__name__) from None
    return rank.symbol("index", items, *arguments.values, kind="int")


def _count(rank: Rank, items: Value, arguments: Arguments) -> Value:
    wanted = arguments.get(0)
    are_known = operations.is_plain(wanted) and not isinstance(items, GuessedList)
    if are_known and all(operations.is_plain(item) for item in items):
        return items.count(wanted)
    return rank.symbol("count", items, wanted, kind="int")


def _get(rank: Rank, table: dict[Any, Value], arguments: Arguments) -> Value:
    key = operations.hashable(rank, arguments.get(0))
    if key in table:
        return table[key]
    if operations.is_element(key) and all(operations.is_element(known) for known in table):
        return arguments.get(1, "default")
    return rank.symbol("item", table, key, arguments.get(1))


def _keys(rank: Rank, table: dict[Any, Value], arguments: Arguments) -> Value:
    return _view(lambda: open_tables.keys(table))


def _values(rank: Rank, table: dict[Any, Value], arguments: Arguments) -> Value:
    return _view(lambda: open_tables.values(table), is_set=False)


def _items(rank: Rank, table: dict[Any, Value], arguments: Arguments) -> Value:
    return _view(lambda: open_tables.known(table))


def _view(read: Callable[[], list[Value]], *, is_set: bool = True) -> list[Value]:
    items = read()
    return items if isinstance(items, GuessedList) else View(items, read, is_set=is_set)


def _update(rank: Rank, table: dict[Any, Value], arguments: Arguments) -> Running:
    yield from update(rank, table, arguments.get(0, "", {}))
    table.update(arguments.keywords)


def _set_default(rank: Rank, table: dict[Any, Value], arguments: Arguments) -> Value:
    default = arguments.get(1)
    if open_tables.is_open(table):
        default = rank.symbol("item", table, arguments.get(0), default)
    return table.setdefault(operations.hashable(rank, arguments.get(0)), default)


def _pop_entry(rank: Rank, table: dict[Any, Value], arguments: Arguments) -> Value:
    key = operations.hashable(rank, arguments.get(0))
    if key in table:
        return table.pop(key)
    if open_tables.is_open(table):
        return rank.symbol("item", table, key, arguments.get(1, "default"))
    if arguments.has(1, "default"):
        return arguments.get(1, "default")
    if operations.is_plain(key):
        raise fail("KeyError")
    raise Cut("an unknown entry of a dict")


def _pop_item(rank: Rank, table: dict[Any, Value], arguments: Arguments) -> Value:
    if open_tables.is_open(table):
        raise Cut("an unknown entry of a dict")
    if not table:
        raise fail("KeyError")
    key = next(iter(table)) if arguments.get(0, "last", True) is False else next(reversed(table))
    return key, table.pop(key)


def _move_to_end(rank: Rank, table: dict[Any, Value], arguments: Arguments) -> Value:
    key = operations.hashable(rank, arguments.get(0))
    if key not in table or open_tables.is_open(table):
        raise Cut("an unknown entry of a dict")
    entries = [*((other, value) for other, value in table.items() if other != key)]
    moved = (key, table[key])
    table.clear()
    table.update([*entries, moved] if arguments.get(1, "last", True) else [moved, *entries])


def _add(rank: Rank, items: set[Value], arguments: Arguments) -> Value:
    items.add(operations.hashable(rank, arguments.get(0)))


def _discard(rank: Rank, items: set[Value], arguments: Arguments) -> Value:
    items.discard(operations.hashable(rank, arguments.get(0)))


def _remove_of_set(rank: Rank, items: set[Value], arguments: Arguments) -> Value:
    item = operations.hashable(rank, arguments.get(0))
    if item not in items and operations.is_plain(item) and all(map(operations.is_plain, items)):
        raise fail("KeyError")
    items.discard(item)


def _are_guessed(containers: list[list[Value]]) -> bool:
    return any(isinstance(one, GuessedList) for one in containers)


def _algebra(name: str) -> Callable[..., Any]:
    def call(rank: Rank, items: set[Value], arguments: Arguments) -> Running:
        others: list[list[Value]] = []
        for value in arguments.values:
            is_set = isinstance(value, (set, frozenset))
            given = container_items.unordered(value) if is_set else (yield from elements(rank, value))
            others.append(alike([operations.hashable(rank, one) for one in given], given))
        whole = {*items, *(one for other in others for one in other)}
        if name == "union" and any(whole == set(one) for one in (items, *others)) and not _are_guessed(others):
            return whole
        are_known = all(map(operations.is_element, (*items, *(one for other in others for one in other))))
        if are_known and not _are_guessed(others):
            try:
                return getattr(items, name)(*others)
            except TypeError:
                raise fail("TypeError") from None
        if name.endswith("update"):
            raise Cut("a set that is changed by unknown elements")
        return rank.symbol("set", items, name, *others, kind="bool" if name.startswith("is") else "set")

    return call


_TEXT = (
    "strip lstrip rstrip split rsplit splitlines lower upper title startswith endswith replace find rfind count index "
    "zfill rjust ljust center isdigit isalpha isnumeric partition rpartition removeprefix removesuffix capitalize "
    "encode decode"
).split()


def _of_text(name: str) -> Callable[..., Any]:
    def call(rank: Rank, text: Any, arguments: Arguments) -> Value:
        short = all(not isinstance(value, int) or value < operations.MAX_TEXT for value in arguments.values)
        if short and hasattr(text, name) and all(operations.is_plain(value) for value in arguments.every()):
            try:
                return getattr(text, name)(*arguments.values, **arguments.keywords)
            except (ValueError, TypeError, LookupError, ArithmeticError) as error:
                raise fail(type(error).__name__) from None
        return rank.symbol("text method", text, name, *arguments.every())

    return call


def _join(rank: Rank, text: str, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(0))
    if all(isinstance(item, str) for item in items) and not isinstance(items, GuessedList):
        return text.join(items)
    return rank.symbol("joined", text, *items, kind="str")


_WIDE = re.compile(r"[0-9]{4}|\{[^}]*\{")
"""Formats that could make a long text."""


def _format(rank: Rank, text: str, arguments: Arguments) -> Value:
    every = arguments.every()
    is_short = len(text) <= operations.MAX_TEXT and not _WIDE.search(text)
    if is_short and all(isinstance(value, (str, int, float)) for value in every):
        try:
            return text.format(*arguments.values, **arguments.keywords)
        except (IndexError, KeyError) as error:
            raise fail(type(error).__name__) from None
        except (ValueError, TypeError, AttributeError):
            pass
    return rank.symbol("formatted", text, *arguments.every(), kind="str")


def _send(rank: Rank, generator: GeneratorValue, arguments: Arguments) -> Running:
    item = yield from calls.advance(rank, generator, None, arguments.get(0))
    if item is EXHAUSTED:
        raise stop_iteration(generator)
    return item


def _close(rank: Rank, generator: GeneratorValue, arguments: Arguments) -> Running:
    if generator.started and not generator.is_done:
        try:
            yield from calls.advance(rank, generator, fail("GeneratorExit"))
        except ProgramError as error:
            if error.value.name != "GeneratorExit":
                raise
    generator.is_done = True


def _number(rank: Rank, value: Value, arguments: Arguments) -> Value:
    return value


_SEQUENCE: dict[str, Callable[..., Any]] = {"index": _index, "count": _count}
_LIST: dict[str, Callable[..., Any]] = {
    **_SEQUENCE,
    "append": _append,
    "appendleft": lambda rank, items, arguments: items.insert(0, arguments.get(0)),
    "extend": _extend,
    "insert": _insert,
    "pop": _pop,
    "popleft": _pop_left,
    "remove": _remove,
    "sort": _sort,
    "reverse": _reverse,
    "copy": _copy,
    "clear": _clear,
}
_DICT: dict[str, Callable[..., Any]] = {
    "get": _get,
    "keys": _keys,
    "values": _values,
    "items": _items,
    "update": _update,
    "setdefault": _set_default,
    "pop": _pop_entry,
    "popitem": _pop_item,
    "move_to_end": _move_to_end,
    "copy": lambda rank, table, arguments: OrderedDict(table) if isinstance(table, OrderedDict) else dict(table),
    "clear": _clear,
}
_SET: dict[str, Callable[..., Any]] = {
    "add": _add,
    "discard": _discard,
    "remove": _remove_of_set,
    "copy": _copy,
    "clear": _clear,
    **{
        name: _algebra(name)
        for name in (
            "union",
            "intersection",
            "difference",
            "symmetric_difference",
            "issubset",
            "issuperset",
            "isdisjoint",
            "update",
            "intersection_update",
            "difference_update",
            "symmetric_difference_update",
        )
    },
}
_STR: dict[str, Callable[..., Any]] = {**{name: _of_text(name) for name in _TEXT}, "join": _join, "format": _format}
_NUMBER: dict[str, Callable[..., Any]] = {
    **{name: _of_text(name) for name in ("bit_length", "bit_count", "to_bytes", "is_integer", "as_integer_ratio")},
    "item": _number,
    "copy": _number,
    "conjugate": _number,
}

_SPECIAL: dict[str, Callable[..., Any]] = {
    "__getitem__": lambda rank, container, arguments: operations.item(rank, container, arguments.get(0)),
}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "list": {**_LIST, **_SPECIAL},
    "dict": {**_DICT, **_SPECIAL},
    "set": _SET,
    "tuple": {**_SEQUENCE, **_SPECIAL},
    "range": {**_SEQUENCE, **_SPECIAL},
    "str": {**_STR, **_SPECIAL},
    "bytes": {"decode": _of_text("decode")},
    "int": _NUMBER,
    "float": _NUMBER,
    "bool": _NUMBER,
    "generator": {"send": _send, "close": _close},
}
TYPES: dict[type, str] = {
    list: "list",
    GuessedList: "list",
    CommandLine: "list",
    dict: "dict",
    DefaultDict: "dict",
    set: "set",
    frozenset: "set",
    tuple: "tuple",
    range: "range",
    str: "str",
    bytes: "bytes",
    int: "int",
    float: "float",
    bool: "bool",
    complex: "complex",
    type(None): "NoneType",
    GeneratorValue: "generator",
    Iterator: "iterator",
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "range.start:attribute": lambda rank, value: value.start,
    "range.stop:attribute": lambda rank, value: value.stop,
    "range.step:attribute": lambda rank, value: value.step,
    "int.real:attribute": lambda rank, value: value,
    "float.real:attribute": lambda rank, value: value,
    "int.imag:attribute": lambda rank, value: 0,
    "float.imag:attribute": lambda rank, value: 0.0,
    "int.value:attribute": lambda rank, value: value,
}
