"""Counts that follow from numbers which are not known, compared for examples of these numbers.

With ``count = n // size + (rank < n % size)`` and a buffer of ``n // size`` elements, the parts do not fit if ``n`` is
11 and there are two ranks. An example counts only if the choices of the world are possible with it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import paired_buffers, vector_counts
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.displacements import parts
from jaxmpi_lint.interpreter.examples import OPERATORS, Example
from jaxmpi_lint.interpreter.symbols import Symbol, freeze, reachable
from jaxmpi_lint.interpreter.values import Library, Value
from jaxmpi_lint.interpreter.vector_counts import Layout, Side
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective

_SPECIFIED = {"sends": "send counts", "takes": "receive counts"}
_WITH_COUNTS = frozenset({"gatherv", "scatterv", "allgatherv", "alltoallv"})
_WITHOUT = frozenset({"gather", "scatter", "allgather", "alltoall", "reduce", "allreduce", "scan", "exscan"})
"""Collectives that divide buffers evenly: only examples that all ranks can divide count."""

_MOST_NUMBERS = 2
_MANY = 24
"""The elements of each rank: more than ranks are tried, so that no length is equal to a number of ranks."""

_FEW = range(1, 14)


def check(present: dict[int, Collective], made: Mapping[object, object], size: int) -> Fault | None:
    """The first example for which counts of ``size`` ranks do not fit; ``made`` are the choices of the world."""
    name = next(iter(present.values())).kind
    kind = name.removeprefix("I").lower()
    if name.islower() or kind not in _WITH_COUNTS | _WITHOUT:
        return None
    unknown = _unknown(present)
    if not unknown or len(unknown) > _MOST_NUMBERS:
        return None
    for first in unknown:
        others = [symbol for symbol in unknown if symbol is not first]
        for number in _numbers(size) if kind in _WITH_COUNTS else (_MANY * size,):
            fault = _for_all(present, made, {first: number}, others, size)
            if fault is not None:
                fault.kind = Kind.COUNT if number % size == 0 else Kind.COUNT_OF_SOME
                fault.detail += f", if {_name(first)} is {number}"
                if fault.constant is not None and fault.constant >= _MANY:
                    fault.constant = None  # a number of elements
                return fault
    return None


def _numbers(size: int) -> Iterator[int]:
    """Numbers that are tried: first those that all ranks can divide evenly."""
    yield from (_MANY * size, _MANY * size + 1, (_MANY + 1) * size - 1, size, size + 1)


def _unknown(present: dict[int, Collective]) -> list[Symbol]:
    """The numbers that the counts and lengths of the buffers follow from."""
    known: dict[Symbol, int] = {}
    while True:
        example = Example(known)
        for event in present.values():
            _completed(event, example)
        if not example.missing or len(known) > _MOST_NUMBERS:
            return list(known)
        known = {**known, **dict.fromkeys(example.missing, 1)}


def _for_all(
    present: dict[int, Collective],
    made: Mapping[object, object],
    given: dict[Symbol, int],
    others: list[Symbol],
    size: int,
) -> Fault | None:
    """The fault of an example, if it is there whatever the other numbers are.

    They may be connected with the first one, as a part is with the whole.
    """
    found: Fault | None = None
    (number,) = given.values()
    tried = sorted({*_FEW, number * size, number * size + 1, number // size, number * 2, number})
    for numbers in itertools.product(tried, repeat=len(others)):
        example = Example({**given, **dict(zip(others, numbers, strict=True))})
        if not _is_possible(made, example):
            continue
        completed = {number: _completed(event, example) for number, event in present.items()}
        fault = vector_counts.check(completed) or paired_buffers.check(completed)
        if fault is None:
            return None
        found = found or fault
    if found is not None:
        found.event = present[found.rank]
        found.other = None if found.other_rank is None else present[found.other_rank]
    return found


def _is_possible(made: Mapping[object, object], example: Example) -> bool:
    """Whether all choices are those that the program makes with the numbers of an example."""
    return all(_agrees(key, outcome, example) for key, outcome in made.items())


def _agrees(key: object, outcome: object, example: Example) -> bool:
    """Whether a choice is that of an example; not if it depends on a number of it in a way that is not known."""
    found: object = None
    match key:
        case ("test", str() as name, left, right):
            one, other = example.number(left), example.number(right)
            if one is not None and other is not None and name in OPERATORS:
                found = bool(OPERATORS[name](one, other))
        case ("truth", Symbol() as symbol):
            number = example.number(symbol)
            found = None if number is None else bool(number)
        case ("length", Symbol() as items):
            shape = example.shape(items)
            found = shape[0] if shape else None
    if found is None:
        return example.given.keys().isdisjoint(reachable(key))
    return found == outcome


def _completed(event: Collective, example: Example) -> Collective:
    """An event with the counts and lengths of an example."""
    found = {name: _side(event, name, example) for name in _SPECIFIED if isinstance(event.extra.get(name), Side)}
    return replace(event, extra={**event.extra, **found})


def _side(event: Collective, name: str, example: Example) -> Side:
    side: Side = event.extra[name]
    given: Value = event.extra.get(_SPECIFIED[name])
    if side.count is not None or side.layout is not None:
        return side
    counts, displacements = parts(given)
    if counts is not None:
        return replace(side, layout=_layout(side, given, (counts, displacements), example))
    match given:
        case Array() | Symbol() | [Array() | Symbol()] | [Array() | Symbol(), Library()]:
            array = given[0] if isinstance(given, (list, tuple)) else given
            return replace(side, count=example.size(_frozen(array)), dtype=side.dtype or _dtype(array))
        case [_, Symbol() as count] | [_, Symbol() as count, Library()] if event.kind.lower().endswith("v"):
            number = example.number(count)
            return replace(side, count=None if number is None else int(number))
    return side


def _layout(side: Side, given: Value, numbers: tuple[Value, Value], example: Example) -> Layout | None:
    counts, displacements = (None if one is None else example.numbers(freeze(one)) for one in numbers)
    if counts is None or (displacements is None and numbers[1] is not None):
        return None
    array = given[0]
    shape = example.shape(_frozen(array)) if isinstance(array, Array) and array.dtype == side.dtype else None
    size = example.size(_frozen(array)) if shape is not None else None
    has_rows = shape is not None and len(shape) > 1 and (size or 0) > shape[0]
    return Layout(counts, displacements, size, shape[0] if has_rows and shape is not None else None)


def _dtype(array: Value) -> str | None:
    """The dtype of a part of an array, of which it is not known whether it is one element."""
    match array:
        case Symbol(key=(("str", "part"), ("array", _, str() as dtype, *_), _)):
            return dtype or None
    return None


def _frozen(array: Value) -> object:
    """An array as its memory was made, which keeps its length when other elements are written."""
    if isinstance(array, Array) and array.shape is None and array.is_whole and array.store.origin is not None:
        return array.store.origin
    return freeze(array)


def _name(symbol: Symbol) -> str:
    """How the program reads a number."""
    match symbol.key:
        case (("str", "call"), ("library", _), Symbol() as read, *_):
            return _name(read)
        case (("str", "item"), Symbol(key=(("str", "argv"),)), ("int", position)):
            return f"`sys.argv[{position}]`"
        case (("str", "option"), ("str", str() as name)):
            return f"the option `{name}`"
        case (("str", "item"), *_, ("str", str() as name)) | (("str", "attribute"), *_, ("str", str() as name)):
            return f"`{name}`"
    return "a number that the program reads"
