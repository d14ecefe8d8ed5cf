"""Buffers whose number of elements each rank decides by its own data, in collectives that need equal numbers.

``found = data[data > limit]`` and ``comm.Gather(found, all)``: the counts differ with the data. MPI 4.1, sections 6.5,
6.7 and 6.9.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import displacements
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.symbols import Symbol, reachable
from jaxmpi_lint.interpreter.values import Library
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective

_COUNTED = frozenset({"gatherv", "allgatherv"})
_EQUAL_COUNTS = frozenset({"Gather", "Allgather", "Reduce", "Allreduce", "Alltoall", "Scan", "Exscan"})
OF_JAX = frozenset({"process_allgather", "broadcast_one_to_all"})
"""Functions of JAX that need arrays of one shape on all processes."""

_SELECTING = frozenset(
    """flatnonzero nonzero argwhere unique compress extract intersect1d setdiff1d setxor1d union1d where bincount
    find_peaks argrelextrema argrelmax argrelmin""".split()
)
_DIVIDING = frozenset({"array_split"})
_KEEPING = frozenset(
    """abs absolute array asarray ascontiguousarray astype conj copy cos cumsum exp float32 float64 int32 int64 log
    log10 negative real imag round sin sort sqrt square tan view where""".split()
)
"""Functions and methods whose result has as many elements as their first argument."""

_ELEMENTWISE = _KEEPING | frozenset(
    """+ - * / // % ** < > <= >= == != & | add subtract multiply divide true_divide maximum minimum power mod
    hypot arctan2 logical_and logical_or""".split()
)
"""Operators and functions of arrays with as many elements as the result."""

_POSITIONS = frozenset({"arange", "repeat", "tile", "linspace", "sort", "ravel", "reshape", "astype"})
"""Functions that make positions from positions."""

_DEEPEST = 16


def check(present: dict[int, Collective], decided: Iterable[object]) -> Fault | None:
    """The first two ranks that select the elements they pass from data of their own.

    ``decided`` are the choices that the ranks have made: programs may have compared the numbers before.
    """
    first = present[min(present)]
    if first.kind.removeprefix("I").lower() in _COUNTED and first.kind != first.kind.lower():
        return _of_parts(present, decided)
    if not _needs_equal_counts(first.kind):
        return None
    selected = {number: _selection(event) for number, event in sorted(present.items())}
    known = {number: symbol for number, symbol in selected.items() if symbol is not None}
    lowest = min(known, default=0)
    for number, symbol in known.items():
        if symbol is not known[lowest] and not _are_compared({symbol, known[lowest]}, decided):
            detail = _DETAILS[_name(symbol) in _DIVIDING]
            return Fault(Kind.OWN_COUNT, present[lowest], lowest, number, present[number], detail)
    return None


def _of_parts(present: dict[int, Collective], decided: Iterable[object]) -> Fault | None:
    """The first rank that expects from another one as many elements as it has selected itself."""
    for receiver, event in sorted(present.items()):
        if event.root not in (None, event.communicator.number):
            continue
        expected = [_selection_counted(count) for count in _counts(event)]
        for sender, sending in sorted(present.items()):
            number, sent = sending.communicator.number, _selected(sending.extra.get("send counts"))
            here = expected[number] if number is not None and number < len(expected) else None
            if here is None or sent is None or here is sent or _are_compared({here, sent}, decided):
                continue
            detail = f"rank {receiver} expects from rank {sender} as many elements as it has selected itself"
            return Fault(Kind.OWN_COUNT, sending, sender, receiver, event, detail)
    return None


def _counts(event: Collective) -> list[object]:
    """The numbers of elements that a rank expects from each rank."""
    counts, _ = displacements.parts(event.extra.get("receive counts"))
    if isinstance(counts, Array):
        counts = counts.cells
    return [] if counts is None or isinstance(counts, GuessedList) else list(counts)


def _selected(sent: object) -> Symbol | None:
    """The selection that decides how many elements a send buffer without counts has."""
    match sent:
        case [Array() as array] | [Array() as array, Library()] | (Array() as array) if array.shape is None:
            return selected_by(array.freeze(_DEEPEST))
        case Symbol():
            return _deciding(sent)
    return None


def _selection_counted(count: object) -> Symbol | None:
    """The selection whose length a number is, perhaps as a number of another type."""
    match count:
        case Symbol(key=(("str", "cast"), _, Symbol() as length)):
            return measured(length)
        case Symbol():
            return measured(count)
    return None


def _needs_equal_counts(kind: str) -> bool:
    return kind in OF_JAX or (kind.removeprefix("I").capitalize() in _EQUAL_COUNTS and not kind.islower())


def _are_compared(selections: set[Symbol], decided: Iterable[object]) -> bool:
    """Whether a test has asked for the lengths of both selections, or whether an array can be divided evenly."""
    for choice in decided:
        tested = reachable(choice)
        if any(_name(one) in _DIVIDING for one in selections):
            if any(_is_remainder(one) for one in tested):
                return True
        elif selections <= {measured(one) for one in tested}:
            return True
    return False


def _is_remainder(symbol: Symbol) -> bool:
    return symbol.key[:2] == (("str", "operation"), ("str", "%"))


_DETAILS = {
    False: "each rank passes as many elements as it has selected",
    True: "the parts that `array_split` makes differ in length if the number of ranks does not divide the whole",
}


Selection = Symbol
"""What decides how many elements a rank has."""

_JOINING = frozenset({"concatenate", "hstack", "vstack"})
_LENGTHS = frozenset({"length", "size", "nbytes"})


def selected_by(frozen: object) -> Selection | None:
    """The selection that decides how many elements an array has; also one of parts of several arrays."""
    match frozen:
        case ("array", None, _, _, Symbol(key=(("str", "view"), viewed, _))):
            return selected_by(viewed)
        case ("array", None, _, _, Symbol() as joined) if _name(joined) in _JOINING:
            return joined if _joins_selections(joined) else None
        case ("array", None, _, _, Symbol() as part) if _selected_from(frozen) is not None:
            return part
    return _deciding(frozen)


def measured(length: Symbol) -> Selection | None:
    """The selection that decides a length; None for another symbol."""
    match length.key:
        case (("str", str() as name), (("array", *_) | Symbol()) as whole) if name in _LENGTHS:
            return selected_by(whole)
        case (("str", "call"), ("library", "numpy.size" | "numpy.shape"), ("array", *_) as whole):
            return selected_by(whole)
        case (("str", "item"), Symbol() as shape, ("int", 0)):
            return measured(shape)
    return None


def is_selection(items: Symbol) -> bool:
    """Whether a selection decides the number of items of a container: ``rows, columns = numpy.nonzero(mask)``."""
    match items.key:
        case (("str", "unpacked"), Symbol() as whole, *_):
            return is_selection(whole)
        case (("str", "items"), ("array", *_) as whole):
            return selected_by(whole) is not None
    return _deciding(items) is not None


def _joins_selections(joined: Symbol) -> bool:
    """Whether all parts are selections of different arrays: those of one array may add up to the whole of it."""
    match joined.key:
        case (("str", "call"), _, ("list" | "tuple", *parts), *_) if parts:
            wholes = [_selected_from(part) for part in parts]
            return None not in wholes and len(set(wholes)) == len(wholes)
    return False


def _selected_from(part: object) -> object:
    """The array of which a part is a selection, None for another one."""
    match part:
        case ("array", None, _, _, Symbol(key=(("str", "selected" | "part"), whole, ("array", _, "bool", *_) as mask))):
            return None if _is_of_positions(mask) else whole
    return None


def _is_of_positions(mask: object) -> bool:
    """Whether a mask is computed from positions alone, as for a share of each rank: it selects equally many often."""
    return all(map(_is_position, reachable(mask)))


def _is_position(symbol: Symbol) -> bool:
    head = symbol.key[0]
    return head in (("str", "arange"), ("str", "operation")) or _name(symbol) in _POSITIONS


def _selection(event: Collective) -> Symbol | None:
    """The selection that decides how many elements a rank passes; None for another number."""
    sent = event.extra.get("unknown") or event.extra.get("send", event.payload)
    if isinstance(sent, Symbol):
        return _deciding(sent)
    if not isinstance(sent, Array) or sent.shape is not None or not event.extra.get("is_plain", True):
        return None
    return _deciding(sent.freeze(_DEEPEST))


def _deciding(frozen: object) -> Symbol | None:
    """The symbol of a selection from which an array is computed element by element."""
    seen: set[Symbol] = set()
    todo = [frozen]
    while todo:
        match todo.pop():
            case Symbol() as symbol if symbol not in seen:
                seen.add(symbol)
                selection = _selection_by(symbol)
                if selection is not None:
                    return selection
                todo += reversed(_as_long_as(symbol))
            case ("array", None, _, content, selected):
                todo += [content, selected]
    return None


def _selection_by(symbol: Symbol) -> Symbol | None:
    """The selection that a symbol is, or of which it is a part; None for other symbols."""
    match symbol.key:
        case (("str", "selected"), _, ("array", _, "bool", *_) as mask):
            return None if _is_of_positions(mask) else symbol
        case (("str", "item"), Symbol(), Symbol() as mask) if _is_mask(mask):
            return symbol
        case (("str", "unpacked"), Symbol() as whole, *_) if _name(whole) in _SELECTING:
            return whole
        case (("str", "item"), Symbol() as whole, place) if _name(whole) in _SELECTING | _DIVIDING:
            return whole if _name(whole) in _SELECTING else symbol if place else None
        case (("str", "call"), _, *arguments) if _name(symbol) in _SELECTING:
            return None if _is_as_long_as_given(_name(symbol), arguments) else symbol
    return None


def _as_long_as(symbol: Symbol) -> list[object]:
    """The operands of a symbol that have as many elements as it has."""
    match symbol.key:
        case (("str", "operation" | "call"), ("str", str() as name), *operands) if name in _ELEMENTWISE:
            return operands
        case (("str", "selected"), _, index):
            return [index]
        case (("str", "array"), given):
            return [given]
        case (("str", "call"), *_) if _name(symbol) in _KEEPING:
            return [_first_operand(symbol)]
    return []


def _is_mask(symbol: Symbol) -> bool:
    """Whether an index is a comparison of arrays, which selects the elements where it holds."""
    match symbol.key:
        case (("str", "operation"), ("str", "<" | "<=" | ">" | ">=" | "==" | "!="), Symbol(kind=""), _):
            return True
    return False


def _is_as_long_as_given(name: str, arguments: list[object]) -> bool:
    """Whether arguments make the length of a result independent of the data."""
    if name == "bincount":
        return len(arguments) > 3 or any("minlength" in str(argument) for argument in arguments[-1:])
    return name == "where" and len(arguments) > 2


def _name(symbol: Symbol) -> str:
    """The last part of the name of the function or method that makes a symbol."""
    match symbol.key:
        case (("str", "item"), Symbol() as whole, _):
            return _name(whole)
        case (("str", "call"), ("library", str() as dotted), *_):
            return dotted.rpartition(".")[2]
        case (("str", "call"), ("method", str() as name, _), *_):
            return name
    return ""


def _first_operand(symbol: Symbol) -> object:
    """The object of a method, or the first argument of a function."""
    called = symbol.key[1]
    if isinstance(called, tuple) and called[0] == "method":
        return called[2]
    return symbol.key[2] if len(symbol.key) > 2 else None
