"""`itertools`, `functools.reduce`, getters of `operator`: loops over values that need no statement."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import agreed, attributes, calls, operations
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.libraries.builtin_loops import FEWER_THAN_LEAST, elements, is_running, iterator
from jaxmpi_lint.interpreter.libraries.handlers import pure
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import (
    EXHAUSTED,
    Cut,
    GeneratorValue,
    Instance,
    Iterator,
    Library,
    Partial,
    Running,
    Value,
    Yielded,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def _call(rank: Rank, function: Value, *args: Value) -> Running:
    return (yield from calls.call(rank, function, args, {}, rank.state["span"]))


def _lazy(make: Callable[..., Any]) -> Handler:
    """A function whose result is computed item by item."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        return GeneratorValue(make(rank, arguments))

    return call


def _cut_out(rank: Rank, state: Iterator, start: int, stop: int | None, step: int, *, is_least: bool = False) -> Any:
    """``is_least`` if the rank that has the fewest items has as many as are wanted."""
    position = 0
    while stop is None or position < stop:
        item = yield from calls.next_item(rank, state)
        if item is EXHAUSTED and is_least:
            raise Cut(FEWER_THAN_LEAST)
        if item is EXHAUSTED:
            return
        if position >= start and (position - start) % step == 0:
            yield Yielded(item)
        position += 1


def _one_after_the_other(rank: Rank, sources: Iterable[Value]) -> Any:
    for source in sources:
        state = calls.iterate(rank, source)
        while (item := (yield from calls.next_item(rank, state))) is not EXHAUSTED:
            yield Yielded(item)


def _islice(rank: Rank, arguments: Arguments) -> Running:
    state = calls.iterate(rank, arguments.get(0))
    bounds = list(arguments.values[1:])
    if not 1 <= len(bounds) <= 3:
        raise fail("TypeError")
    is_least = len(bounds) == 1 and isinstance(bounds[0], Symbol) and agreed.is_least(rank.world, bounds[0])
    if is_least:
        bounds = [rank.world.choose(rank.symbol("range", bounds[0], kind="range"), rank)]
    if not all(value is None or isinstance(value, int) for value in bounds):
        return rank.symbol("part", arguments.get(0), *bounds)
    if any(value is not None and value < 0 for value in bounds):
        raise fail("ValueError")
    start, stop = (0, bounds[0]) if len(bounds) == 1 else (bounds[0] or 0, bounds[1])
    step = bounds[2] or 1 if len(bounds) > 2 else 1
    part = GeneratorValue(_cut_out(rank, state, start, stop, step, is_least=is_least))
    if state.generator is not None:
        return part
    found = yield from elements(rank, part)
    return GuessedList(found) if state.is_guessed else Iterator(found)


def _product(rank: Rank, arguments: Arguments) -> Running:
    columns: list[list[Value]] = []
    for value in arguments.values:
        columns += [(yield from elements(rank, value))]
    repeat = arguments.keywords.get("repeat", 1)
    is_known = isinstance(repeat, int) and 0 <= repeat < 20
    if not is_known or math.prod(len(column) for column in columns) ** repeat > operations.MAX_TEXT:
        return rank.symbol("product", *arguments.values, repeat)
    return iterator(list(itertools.product(*columns, repeat=repeat)), *columns)


def _chain(rank: Rank, arguments: Arguments) -> Running:
    return (yield from _chained(rank, arguments.values))


def _count(rank: Rank, arguments: Arguments) -> Any:
    value, step = arguments.get(0, "start", 0), arguments.get(1, "step", 1)
    while True:
        yield Yielded(value)
        value = operations.binary(rank, "+", value, step)


def _cycle(rank: Rank, arguments: Arguments) -> Any:
    items = yield from elements(rank, arguments.get(0))
    while items:
        for item in items:
            yield Yielded(item)


def _repeated(rank: Rank, arguments: Arguments) -> Any:
    while True:
        yield Yielded(arguments.get(0))


def _repeat(rank: Rank, arguments: Arguments) -> Value:
    times = arguments.get(1, "times")
    if times is None:
        return GeneratorValue(_repeated(rank, arguments))
    if isinstance(times, int) and times <= operations.MAX_TEXT:
        return Iterator([arguments.get(0)] * times)
    return rank.symbol("repeated", [arguments.get(0)], times, kind="list")


def _while(taking: bool) -> Callable[..., Any]:
    def run(rank: Rank, arguments: Arguments) -> Any:
        state, dropping = calls.iterate(rank, arguments.get(1)), not taking
        while (item := (yield from calls.next_item(rank, state))) is not EXHAUSTED:
            if taking or dropping:
                holds = rank.truth((yield from _call(rank, arguments.get(0), item)))
                if taking and not holds:
                    return
                dropping = dropping and holds
            if not dropping:
                yield Yielded(item)

    return run


def _chain_from(rank: Rank, arguments: Arguments) -> Running:
    outer = yield from elements(rank, arguments.get(0))
    return (yield from _chained(rank, outer))


def _chained(rank: Rank, sources: Sequence[Value]) -> Running:
    if any(map(is_running, sources)):
        return GeneratorValue(_one_after_the_other(rank, sources))
    columns: list[list[Value]] = []
    for value in sources:
        columns += [(yield from elements(rank, value))]
    return iterator([item for column in columns for item in column], sources, *columns)


def _combined(name: str) -> Handler:
    """Combinations and permutations of few items."""
    apply = getattr(itertools, name)

    def call(rank: Rank, arguments: Arguments) -> Running:
        items = yield from elements(rank, arguments.get(0))
        more = arguments.values[1:]
        if not all(isinstance(one, int) for one in more):
            return rank.symbol(name, *arguments.values, kind="list")
        try:
            rows = list(itertools.islice(apply(items, *more), operations.MAX_TEXT + 1))
        except (TypeError, ValueError) as error:
            raise fail(type(error).__name__) from None
        if len(rows) > operations.MAX_TEXT:
            return rank.symbol(name, items, *more, kind="list")
        return iterator(rows, items)

    return call


def _pairwise(rank: Rank, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(0))
    return iterator(list(itertools.pairwise(items)), items)


def _batched(rank: Rank, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(0))
    count = arguments.get(1, "n")
    if not isinstance(count, int) or count < 1:
        return rank.symbol("batched", items, count, kind="list")
    return iterator([tuple(items[at : at + count]) for at in range(0, len(items), count)], items)


def _zip_longest(rank: Rank, arguments: Arguments) -> Running:
    columns = []
    for value in arguments.values:
        found = yield from elements(rank, value)
        columns.append(found)
    rows = list(itertools.zip_longest(*columns, fillvalue=arguments.keywords.get("fillvalue")))
    return iterator(rows, *columns)


def _accumulate(rank: Rank, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(0))
    function, total = arguments.get(1, "func"), arguments.keywords.get("initial", EXHAUSTED)
    found = [] if total is EXHAUSTED else [total]
    for item in items:
        if total is EXHAUSTED:
            total = item
        elif function is None:
            total = operations.binary(rank, "+", total, item)
        else:
            total = yield from _call(rank, function, total, item)
        found.append(total)
    return iterator(found, items)


def _reduce(rank: Rank, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(1))
    if isinstance(items, GuessedList):
        return rank.symbol("reduced", arguments.get(0), *items)
    if not items and not arguments.has(2, "initial"):
        raise fail("TypeError")
    start = 0 if arguments.has(2, "initial") else 1
    total = arguments.get(2, "initial") if start == 0 else items[0]
    for item in items[start:]:
        total = yield from _call(rank, arguments.get(0), total, item)
    return total


def _star_map(rank: Rank, arguments: Arguments) -> Running:
    rows = yield from elements(rank, arguments.get(1))
    found: list[Value] = []
    for row in rows:
        args = yield from elements(rank, row)
        found.append((yield from _call(rank, arguments.get(0), *args)))
    return iterator(found, rows)


def _filter_false(rank: Rank, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(1))
    kept: list[Value] = []
    for item in items:
        test = item if arguments.get(0) is None else (yield from _call(rank, arguments.get(0), item))
        if not rank.truth(test):
            kept.append(item)
    return iterator(kept, items)


def _compress(rank: Rank, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(0))
    tests = yield from elements(rank, arguments.get(1))
    return iterator([item for item, test in zip(items, tests, strict=False) if rank.truth(test)], items, tests)


def _group_by(rank: Rank, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(0))
    function = arguments.get(1, "key")
    groups: list[tuple[Value, list[Value]]] = []
    for item in items:
        key = item if function is None else (yield from _call(rank, function, item))
        if groups and rank.truth(operations.equal(rank, groups[-1][0], key, True)):
            groups[-1][1].append(item)
        else:
            groups.append((key, [item]))
    return iterator([(key, iterator(group)) for key, group in groups], items)


def _tee(rank: Rank, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(0))
    count = arguments.get(1, "n", 2)
    if not isinstance(count, int):
        raise Cut("an unknown number of iterators")
    return tuple(iterator(list(items), items) for _ in range(count))


def _getter(name: str) -> Handler:
    """``operator.itemgetter(key)`` and ``attrgetter``."""
    return lambda rank, arguments: Partial(Library(f"operator.{name}.call"), arguments.values, {})


def _get_items(rank: Rank, arguments: Arguments) -> Value:
    *keys, owner = arguments.values
    found = tuple(operations.item(rank, owner, key) for key in keys)
    return found[0] if len(found) == 1 else found


def _get_attribute(rank: Rank, arguments: Arguments) -> Running:
    getattr_ = rank.models.function("builtins.getattr")
    assert getattr_ is not None
    name, owner = arguments.get(0), arguments.get(1)
    for part in name.split(".") if isinstance(name, str) else (name,):
        owner = yield from getattr_(rank, Arguments((owner, part), {}))
    return owner


def _call_method(rank: Rank, arguments: Arguments) -> Running:
    """``operator.methodcaller(name, *args)(owner)``."""
    name, *args, owner = arguments.values
    method = yield from _get_attribute(rank, Arguments((name, owner), {}))
    return (yield from calls.call(rank, method, tuple(args), arguments.keywords, rank.state["span"]))


def _method_caller(rank: Rank, arguments: Arguments) -> Value:
    return Partial(Library("operator.methodcaller.call"), arguments.values, dict(arguments.keywords))


def _partial_method(rank: Rank, arguments: Arguments) -> Value:
    return Partial(arguments.get(0), arguments.values[1:], dict(arguments.keywords), is_method=True)


def _set_attribute_of(rank: Rank, arguments: Arguments) -> Running:
    """`object.__setattr__`: frozen records are assigned to as well."""
    owner, name, value = arguments.get(0), arguments.get(1), arguments.get(2)
    if not isinstance(name, str):
        return None
    is_frozen = isinstance(owner, Instance) and owner.cls.is_frozen
    called = None if is_frozen else attributes.plain_setter(owner, name, value)
    if called is None:
        attributes.write(rank, owner, name, value)
    else:
        yield from rank.call(*called, {}, rank.state["span"])


FUNCTIONS: dict[str, Any] = {
    "itertools.islice": _islice,
    "itertools.product": _product,
    "itertools.chain": _chain,
    "itertools.count": _lazy(_count),
    "itertools.cycle": _lazy(_cycle),
    "itertools.repeat": _repeat,
    "itertools.takewhile": _lazy(_while(True)),
    "itertools.dropwhile": _lazy(_while(False)),
    "itertools.chain.from_iterable": _chain_from,
    **{
        f"itertools.{name}": _combined(name)
        for name in ("combinations", "permutations", "combinations_with_replacement")
    },
    "itertools.pairwise": _pairwise,
    "itertools.batched": _batched,
    "itertools.zip_longest": _zip_longest,
    "itertools.accumulate": _accumulate,
    "itertools.starmap": _star_map,
    "itertools.filterfalse": _filter_false,
    "itertools.compress": _compress,
    "itertools.groupby": _group_by,
    "itertools.tee": _tee,
    "operator.methodcaller": _method_caller,
    "operator.methodcaller.call": _call_method,
    "functools.reduce": _reduce,
    "functools.partialmethod": _partial_method,
    "functools.update_wrapper": lambda rank, arguments: arguments.get(0),
    "functools.cmp_to_key": pure("functools.cmp_to_key"),
    "functools.total_ordering": lambda rank, arguments: arguments.get(0),
    "operator.itemgetter": _getter("itemgetter"),
    "operator.attrgetter": _getter("attrgetter"),
    "operator.itemgetter.call": _get_items,
    "operator.attrgetter.call": _get_attribute,
    "builtins.object.__setattr__": _set_attribute_of,
}
PURE = (
    "bisect.bisect",
    "bisect.bisect_left",
    "bisect.bisect_right",
    "heapq.nlargest",
    "heapq.nsmallest",
    "statistics",
)
