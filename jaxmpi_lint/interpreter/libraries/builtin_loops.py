"""Built-in functions that walk through iterables."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import (
    agreed,
    attributes,
    calls,
    container_items,
    joined_lists,
    operations,
    unpacking,
)
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import GuessedList, Rows, alike
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.raised import ProgramError, fail
from jaxmpi_lint.interpreter.sizes import smaller_sizes
from jaxmpi_lint.interpreter.symbols import Symbol, Unordered
from jaxmpi_lint.interpreter.values import (
    EXHAUSTED,
    MISSING,
    Cut,
    GeneratorValue,
    Instance,
    Iterator,
    Library,
    Running,
    Value,
    Yielded,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def elements(rank: Rank, value: Value) -> Running:
    """All items of an iterable; generators of the program are run to their end."""
    state = calls.iterate(rank, value)
    if state.generator is None:
        if state.left > operations.MAX_TEXT:
            rank.world.count_items(state.left)
        found = state.items[state.position :]
        state.position = len(state.items)
        return GuessedList(found) if state.is_guessed else list(found)
    collected: list[Value] = []
    while True:
        item = yield from calls.next_item(rank, state)
        if item is EXHAUSTED:
            return GuessedList(collected) if state.generator.is_sampled else collected
        if len(collected) > operations.MAX_TEXT:
            raise Cut("a loop without a known end")
        collected.append(item)


def _is_long(value: Value) -> bool:
    """Whether a range has too many items for a list of them."""
    return isinstance(value, range) and len(value) > operations.MAX_LIST


def iterator(items: list[Value], *sources: Value) -> Value:
    """An iterator over items that were made of other containers; a guessed number of items stays a list."""
    found = alike(items, *sources)
    return found if isinstance(found, GuessedList) else Iterator(found)


_FEW = 64
"""Items of an iterator that are taken one by one."""


def is_running(value: Value) -> bool:
    """Whether the program may take further items of an iterator itself, so that they have to be made one by one."""
    if isinstance(value, Instance):
        return calls.is_iterable(value)
    return isinstance(value, GeneratorValue) or (
        isinstance(value, Iterator) and not value.is_guessed and value.left <= _FEW
    )


def _sorted(rank: Rank, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(0))
    return (yield from sort(rank, items, arguments))


def sort(rank: Rank, items: list[Value], arguments: Arguments) -> Running:
    """The items in order; a symbol for each where the order is not known."""
    key, reverse = arguments.keywords.get("key"), arguments.keywords.get("reverse", False)
    keys = list(map(operations.in_order, items if key is None else (yield from _keys(rank, items, key))))
    if isinstance(items, GuessedList) or not all(operations.is_plain(one) for one in keys):
        whole = rank.symbol("sorted", Unordered(items), key)
        return type(items)(rank.symbol("item", whole, position) for position in range(len(items)))
    try:
        order = sorted(range(len(items)), key=lambda position: keys[position], reverse=bool(reverse))
    except TypeError:
        raise fail("TypeError") from None
    return [items[position] for position in order]


def _keys(rank: Rank, items: Iterable[Value], key: Value) -> Running:
    """What a function gives for each item."""
    found: list[Value] = []
    for item in items:
        value = yield from calls.call(rank, key, (item,), {}, rank.state["span"])
        found.append(value)
    return found


def _extreme(name: str) -> Handler:
    apply = getattr(builtins, name)

    def call(rank: Rank, arguments: Arguments) -> Running:
        several = len(arguments.values) > 1
        items = list(arguments.values) if several else (yield from elements(rank, arguments.get(0)))
        if not items and "default" in arguments.keywords:
            return arguments.keywords["default"]
        key = arguments.keywords.get("key")
        if key is not None and items and not isinstance(items, GuessedList):
            keys = yield from _keys(rank, items, key)
            if all(map(operations.is_plain, keys)):
                return items[keys.index(apply(keys))]
        if key is None and items and all(operations.is_plain(item) for item in items):
            if name == "min":
                rank.world.named_sizes |= smaller_sizes(items)
            try:
                return apply(items)
            except TypeError:
                raise fail("TypeError") from None
        if not items and not isinstance(items, GuessedList):
            raise fail("ValueError")
        kinds = {operations.number_kind(item) for item in items}
        return rank.symbol("call", name, *items, kind=kinds.pop() if len(kinds) == 1 else "")

    return call


def _sum(rank: Rank, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(0))
    total = arguments.get(1, "start", 0)
    if isinstance(items, GuessedList):
        return rank.symbol("sum", *items)
    for item in items:
        total = operations.binary(rank, "+", total, item)
    return total


def _quantified(stop: bool) -> Handler:
    def call(rank: Rank, arguments: Arguments) -> Running:
        state = calls.iterate(rank, arguments.get(0))
        while True:
            item = yield from calls.next_item(rank, state)
            if item is EXHAUSTED:
                return not stop
            if rank.truth(item) is stop:
                return stop

    return call


def _enumerate(rank: Rank, arguments: Arguments) -> Running:
    value = arguments.get(0)
    start = arguments.get(1, "start", 0)
    if is_running(value):
        return GeneratorValue(_numbered(rank, calls.iterate(rank, value), start))
    if _is_long(value) and isinstance(start, int):
        return Iterator(Rows((range(start, start + len(value)), value)))
    items = yield from elements(rank, value)
    pairs = [(operations.binary(rank, "+", start, index), item) for index, item in enumerate(items)]
    return iterator(pairs, items)


def _numbered(rank: Rank, state: Iterator, start: Value) -> Any:
    index = 0
    while True:
        item = yield from calls.next_item(rank, state)
        if item is EXHAUSTED:
            return
        yield Yielded((operations.binary(rank, "+", start, index), item))
        index += 1


FEWER_THAN_LEAST = "items of one rank that are fewer than the least number of all"


def _zip(rank: Rank, arguments: Arguments) -> Running:
    """Short iterables decide; those of unknown length take the length of the known ones."""
    joined_lists.note_paired(rank, arguments.values)
    if any(map(unpacking.is_unknown, arguments.values)):
        return rank.symbol("transposed", *arguments.values)
    if arguments.values and all(map(_is_long, arguments.values)):
        return Iterator(Rows(arguments.values))
    columns: list[list[Value]] = []
    lengths: list[int] = []
    for value in arguments.values:
        if is_running(value) or (isinstance(value, Iterator) and not value.is_guessed):
            return GeneratorValue(_zipped(rank, arguments.values))
        if isinstance(value, Symbol):
            columns.append([value])
            continue
        found = yield from elements(rank, value)
        columns.append(found)
        lengths.append(len(found))
    least = next((one for one in arguments.values if _is_least(rank, one)), None)
    if least is None and not lengths:
        guessed = [container_items.guess(rank, value) for value in arguments.values]
        return GuessedList(zip(*guessed, strict=False))
    count = rank.world.choose(least, rank) if least is not None else min(lengths)
    if min(lengths, default=count) < count:
        raise Cut(FEWER_THAN_LEAST)
    rows = [
        tuple(
            rank.symbol("item", value, index) if isinstance(value, Symbol) else column[index]
            for value, column in zip(arguments.values, columns, strict=True)
        )
        for index in range(count)
    ]
    return iterator(rows, *columns)


def _zipped(rank: Rank, values: Sequence[Value]) -> Any:
    states = [calls.iterate(rank, value) for value in values]
    while True:
        row: list[Value] = []
        for value, state in zip(values, states, strict=True):
            item = yield from calls.next_item(rank, state)
            if item is EXHAUSTED and not _is_least(rank, value) and any(_is_least(rank, one) for one in values):
                raise Cut(FEWER_THAN_LEAST)
            if item is EXHAUSTED:
                return
            row.append(item)
        yield Yielded(tuple(row))


def _is_least(rank: Rank, value: Value) -> bool:
    """Whether a range has as many items as the rank that has the fewest."""
    return isinstance(value, Symbol) and agreed.is_least(rank.world, value)


def _next_row(rank: Rank, states: list[Iterator]) -> Running:
    """The next item of each iterable, None if one has no more."""
    row: list[Value] = []
    for state in states:
        item = yield from calls.next_item(rank, state)
        if item is EXHAUSTED:
            return None
        row.append(item)
    return tuple(row)


def _is_lazy(function: Value, sources: Iterable[Value]) -> bool:
    """Whether items are to be made one by one: a function of the program may communicate in between."""
    several = list(sources)
    known = not any(isinstance(one, (Symbol, GuessedList, Array)) for one in several)
    return known and (not isinstance(function, (Library, type(None))) or any(map(is_running, several)))


def _mapped(rank: Rank, function: Value, states: list[Iterator]) -> Any:
    while (row := (yield from _next_row(rank, states))) is not None:
        yield Yielded((yield from calls.call(rank, function, row, {}, rank.state["span"])))


def _filtered(rank: Rank, function: Value, state: Iterator) -> Any:
    while (item := (yield from calls.next_item(rank, state))) is not EXHAUSTED:
        test = item if function is None else (yield from calls.call(rank, function, (item,), {}, rank.state["span"]))
        if rank.truth(test):
            yield Yielded(item)


def _called_until(rank: Rank, function: Value, sentinel: Value) -> Any:
    while True:
        item = yield from calls.call(rank, function, (), {}, rank.state["span"])
        if rank.truth(operations.binary(rank, "==", item, sentinel)):
            return
        yield Yielded(item)


def _map(rank: Rank, arguments: Arguments) -> Running:
    sources = arguments.values[1:]
    if _is_lazy(arguments.get(0), sources):
        return GeneratorValue(_mapped(rank, arguments.get(0), [calls.iterate(rank, one) for one in sources]))
    columns: list[list[Value]] = []
    for value in arguments.values[1:]:
        columns += [(yield from elements(rank, value))]
    results: list[Value] = []
    for row in zip(*columns, strict=False):
        results += [(yield from calls.call(rank, arguments.get(0), tuple(row), {}, rank.state["span"]))]
    return GuessedList(results) if any(isinstance(c, GuessedList) for c in columns) else Iterator(results)


def _filter(rank: Rank, arguments: Arguments) -> Running:
    source = arguments.get(1)
    if _is_lazy(arguments.get(0), (source,)):
        return GeneratorValue(_filtered(rank, arguments.get(0), calls.iterate(rank, source)))
    items = yield from elements(rank, arguments.get(1))
    kept: list[Value] = []
    for item in items:
        test = item
        if arguments.get(0) is not None:
            test = yield from calls.call(rank, arguments.get(0), (item,), {}, rank.state["span"])
        if rank.truth(test):
            kept.append(item)
    return iterator(kept, items)


def _reversed(rank: Rank, arguments: Arguments) -> Running:
    value = arguments.get(0)
    method = value.cls.find("__reversed__") if isinstance(value, Instance) else MISSING
    if method is not MISSING:
        value = yield from calls.call(rank, method, (value,), {}, rank.state["span"])
        return value if isinstance(value, (Iterator, GeneratorValue)) else calls.iterate(rank, value)
    items = yield from elements(rank, value)
    return iterator(items[::-1], items)


def _iter(rank: Rank, arguments: Arguments) -> Value:
    value = arguments.get(0)
    if arguments.has(1):
        return GeneratorValue(_called_until(rank, value, arguments.get(1)))
    if isinstance(value, (Iterator, GeneratorValue)):
        return value
    return calls.iterate(rank, value)


def _next(rank: Rank, arguments: Arguments) -> Running:
    value = arguments.get(0)
    if isinstance(value, GeneratorValue):
        item = yield from calls.advance(rank, value)
    elif isinstance(value, Iterator):
        item = yield from calls.next_item(rank, value)
    elif attributes.special(value, "__next__") is not MISSING:
        return (yield from _next_of_object(rank, value, arguments))
    else:
        return rank.symbol("next", value)
    if item is EXHAUSTED:
        if arguments.has(1):
            return arguments.get(1)
        raise stop_iteration(value)
    return item


def stop_iteration(ended: Value) -> ProgramError:
    """The end of an iterator, with what a generator returns when it ends."""
    result = ended.result if isinstance(ended, GeneratorValue) else None
    if isinstance(ended, GeneratorValue):
        ended.result = None
    return fail("StopIteration") if result is None else fail("StopIteration", result)


def _next_of_object(rank: Rank, value: Instance, arguments: Arguments) -> Running:
    try:
        return (yield from calls.call(rank, value.cls.find("__next__"), (value,), {}, rank.state["span"]))
    except ProgramError as error:
        if arguments.has(1) and error.value.name == "StopIteration":
            return arguments.get(1)
        raise


def _contains(rank: Rank, arguments: Arguments) -> Running:
    """``wanted in iterator``: takes the items up to the one that is equal."""
    state = calls.iterate(rank, arguments.get(0))
    while (item := (yield from calls.next_item(rank, state))) is not EXHAUSTED:
        if rank.truth(operations.equal(rank, item, arguments.get(1), True)):
            return True
    return False


FUNCTIONS: dict[str, Handler] = {
    "jaxmpi.in iterator": _contains,
    "builtins.sorted": _sorted,
    "builtins.min": _extreme("min"),
    "builtins.max": _extreme("max"),
    "builtins.sum": _sum,
    "builtins.any": _quantified(True),
    "builtins.all": _quantified(False),
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.map": _map,
    "builtins.filter": _filter,
    "builtins.reversed": _reversed,
    "builtins.iter": _iter,
    "builtins.next": _next,
}
