"""What a value is computed from: the marks of old values in it, and the operations on the way."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.events import Place
from jaxmpi_lint.interpreter.symbols import Symbol, symbols_of
from jaxmpi_lint.interpreter.values import Instance, Method, Value

TAG = "stale"
UNSET, ZEROS = "unset", "zeros"
_HANDING_ON = frozenset(
    """int float bool complex str repr len round abs list tuple array asarray ascontiguousarray atleast_1d copy cell
    float64 int64 float32 int32 all any not and or changed filled full ravel flatten reshape item tolist ravelled
    unravelled leaves unflatten""".split()
)
"""Operations after which a value is still the one that was kept: it may be sent to spread it, or to compare it."""

_ADDING = frozenset({"+", "-"})
_REPLACED = "perhaps changed"
_CHANGED = frozenset({"changed", _REPLACED})
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"})
_SYNCHRONISING = re.compile(
    r"sync|bcast|broadcast|share|reduce|gather|scatter|distribute|average|mpi|comm", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A value that a rank keeps: where another one replaces it, that rank, and the difference in words.

    ``is_empty`` if it is zero, ``is_sure`` if the new value is meant for all ranks; ``size`` is that of an array.
    ``is_unreceived`` if it stands for the result of a collective that only its root receives. ``memory`` of new memory:
    `UNSET`, or `ZEROS`, which a rank that sends them as they are, such as those of its border, has for its own part.
    """

    place: Place
    replaced_by: int
    text: str
    detail: str
    is_empty: bool
    is_sure: bool
    size: int = 0
    is_unreceived: bool = False
    memory: str = ""


def computed(value: Symbol, marks: dict[Symbol, Mark], is_written: bool = False) -> Iterable[tuple[Symbol, bool]]:
    """The marked symbols from which a value is computed, and whether no call on the way could spread values.

    ``is_written`` if it goes into a file, as results do that were received: then they count as they are.
    """
    found: dict[Symbol, bool] = {}
    seen: set[tuple[int, bool, bool, bool, str]] = set()
    stack: list[tuple[Symbol, bool, bool, bool, str]] = [(value, False, True, False, "")]
    while stack:
        symbol, is_computed, is_sure, is_changed, parent = stack.pop()
        if (symbol.number, is_computed, is_sure, is_changed, parent) in seen or TAG not in symbol.own:
            continue
        seen.add((symbol.number, is_computed, is_sure, is_changed, parent))
        mark = marks.get(symbol)
        if mark is not None:
            is_used = is_computed or (is_written and mark.is_unreceived)
            adds_nothing = (mark.is_empty and parent in _ADDING) or (mark.memory == ZEROS and parent == "sum")
            if is_used and not adds_nothing and not (mark.memory and is_changed):
                found[symbol] = found.get(symbol, True) and is_sure
            continue
        name = _operation(symbol)
        handing_on = name in _HANDING_ON or name in _COMPARISONS or name == _REPLACED
        surely = is_sure and name != _REPLACED and not _may_synchronise(symbol)
        above = parent if handing_on else name
        changed = is_changed or name in _CHANGED
        stack += [(one, is_computed or not handing_on, surely, changed, above) for one in symbols_of(symbol.key)]
    return found.items()


def _may_synchronise(symbol: Symbol) -> bool:
    """Whether an unknown call has made a value, by whose name it may have made it equal on all ranks."""
    return symbol.is_guess and _SYNCHRONISING.search(" ".join(symbol.words(1))) is not None


def as_they_are(value: Symbol) -> Iterable[Symbol]:
    """The symbols that a value is, or hands on, without a computation."""
    seen: set[int] = set()
    stack = [value]
    while stack:
        symbol = stack.pop()
        if symbol.number in seen:
            continue
        seen.add(symbol.number)
        yield symbol
        if _operation(symbol) in _HANDING_ON:
            stack += symbols_of(symbol.key)


def elements(symbol: Symbol) -> Iterable[tuple[Symbol, object]]:
    """The element of an array that a symbol is, as it is or as a number of Python."""
    while _operation(symbol) in _HANDING_ON:
        found = list(symbols_of(symbol.key))
        if len(found) != 1:
            return
        if _operation(symbol) == "cell":
            yield found[0], symbol.key[-1]
        symbol = found[0]


def _operation(symbol: Symbol) -> str:
    """The operator, or the last part of the name of the function."""
    words = [
        part for part in symbol.key if isinstance(part, tuple) and len(part) == 2 and part[0] in ("str", "library")
    ]
    names = [str(part[1]) for part in words[:2]]
    if names[:1] in (["operation"], ["call"]) and len(names) > 1:
        return names[1].rpartition(".")[2] or names[1]
    return names[0] if names else ""


def symbols_in(value: Value, depth: int = 4, *, in_objects: bool = False) -> Iterable[Symbol]:
    """The symbols in a value and its items; ``in_objects``: also in fields, and in the object of a method."""
    items: Iterable[Value] = ()
    if isinstance(value, Symbol):
        yield value
    elif isinstance(value, Array):
        yield from symbols_of(value.freeze(2))
    elif isinstance(value, (list, tuple, set)):
        items = value
    elif isinstance(value, dict):
        items = value.values()
    elif in_objects and isinstance(value, Instance):
        items = value.fields.values()
    elif in_objects and isinstance(value, Method):
        items = (value.receiver,)
    for item in items if depth else ():
        yield from symbols_in(item, depth - 1, in_objects=in_objects)
