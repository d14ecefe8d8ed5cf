"""Arguments of MPI calls: buffers, roots, peers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import expected_refusals, pickling, used_elements, views
from jaxmpi_lint.interpreter.arrays import STRIDED, Array
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.dtypes import SIZES
from jaxmpi_lint.interpreter.events import CommunicatorView, Event, Send
from jaxmpi_lint.interpreter.raised import ProgramError, Raised
from jaxmpi_lint.interpreter.sizes import RankCount, RankNumber
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Cut, FunctionValue, Library, Value
from jaxmpi_lint.interpreter.vector_counts import Layout
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

PROC_NULL = -2
"""The rank to which nothing is sent: mpi4py does not look at the object or buffer."""

DATATYPES = {
    "DOUBLE": "float64", "FLOAT": "float32", "INT": "int32", "LONG": "int64", "INT64_T": "int64", "INT32_T": "int32",
    "COMPLEX": "complex64", "DOUBLE_COMPLEX": "complex128", "C_DOUBLE_COMPLEX": "complex128", "BOOL": "bool",
    "C_BOOL": "bool", "SHORT": "int16", "BYTE": "uint8", "CHAR": "int8", "UINT64_T": "uint64", "REAL8": "float64",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Buffer:
    """A buffer argument: the array (None if it is not known), the number of elements and the dtype.

    ``layout`` is that of a buffer with one part for each rank. ``is_counted``: the count is given, for
    the part of one rank.
    """

    array: Array | None
    count: int | None
    dtype: str | None
    is_plain: bool = True
    is_in_place: bool = False
    layout: Layout | None = None
    is_counted: bool = False

    def used(self, parts: int | None = 1) -> Array | None:
        """The elements that an operation uses, ``parts`` times the given count; None if the array is not known."""
        array, layout = self.array, self.layout
        if array is None or (self.is_plain and not self.is_counted):
            return array
        ranges = layout.ranges if layout is not None else ()
        if self.is_counted and self.count is not None and parts is not None:
            ranges = (range(self.count * parts),)
        same = 1 if self.dtype == (array.dtype or None) else 0
        unit, own = SIZES.get(self.dtype or "", same), SIZES.get(array.dtype, same)
        if not ranges or not unit or not own:
            return used_elements.some(array)
        # an element of which the operation uses some bytes is used
        return used_elements.stretches(
            array, [range(one.start * unit // own, -(-one.stop * unit // own)) for one in ranges]
        )


NO_BUFFER = Buffer(None, None, None)


def buffer(value: Value) -> Buffer:
    """The meaning of a buffer argument: an array, ``[array, type]``, ``[array, count, type]`` and so on."""
    if isinstance(value, Library):
        return Buffer(None, None, None, is_in_place=value.dotted.endswith("IN_PLACE"))
    if isinstance(value, Array):
        return _of_array(value)
    if isinstance(value, (list, tuple)) and value:
        return _of_specification(list(value))
    return NO_BUFFER


def message_buffer(value: Value) -> Buffer:
    """The meaning of the buffer of a message, where a pair is a count and a displacement."""
    match value:
        case [array, [count, displacement], *datatype] | [array, int() as count, int() as displacement, *datatype]:
            is_pair = all(isinstance(part, (int, Symbol, type(None))) for part in (count, displacement))
        case _:
            is_pair = False
    if not is_pair:
        return buffer(value)
    found = buffer([array, *datatype])
    if found.array is None or not (isinstance(count, int) and isinstance(displacement, int)):
        return replace(found, count=None, is_plain=False)
    is_of_elements = found.is_plain and found.dtype == found.array.dtype and found.count is not None
    if not is_of_elements:
        return replace(found, count=count if found.is_plain else None, is_plain=False, is_counted=False)
    rest = used_elements.stretches(found.array, [range(displacement, found.count or 0)])
    return Buffer(rest, count, found.dtype, is_counted=True)


def _of_array(array: Array) -> Buffer:
    count = None if array.is_guessed else array.size
    return Buffer(array, count, array.dtype or None)


def _of_specification(parts: list[Value]) -> Buffer:
    array = parts[0] if isinstance(parts[0], Array) else None
    datatype = next((p.dotted.rpartition(".")[2] for p in parts[1:] if isinstance(p, Library)), None)
    dtype = DATATYPES.get(datatype or "") if datatype else (array.dtype or None if array is not None else None)
    if any(not isinstance(part, (Library, int, list, tuple, Array, type(None))) for part in parts[1:]) or (
        datatype is not None and datatype not in DATATYPES
    ):
        return Buffer(array, None, None, is_plain=False)  # a derived datatype selects elements
    counts = [part for part in parts[1:] if isinstance(part, int)]
    if len(parts) == 2 and not counts and array is not None:
        has_layout = isinstance(parts[1], (list, tuple, Array))
        count = None if has_layout or array.is_guessed else _in_units(array, dtype)
        return Buffer(array, count, dtype, not has_layout, layout=_layout(array, parts[1:], dtype))
    if len(parts) == 3 and counts:
        return Buffer(array, counts[0], dtype, is_counted=True)
    return Buffer(array, None, dtype, is_plain=False, layout=_layout(array, parts[1:], dtype))


def _in_units(array: Array, dtype: str | None) -> int | None:
    """The number of elements of a datatype that the memory of an array holds, as mpi4py counts them."""
    own, unit = SIZES.get(array.dtype), SIZES.get(dtype or "")
    if array.size is None or dtype == (array.dtype or None):
        return array.size
    return None if own is None or unit is None else array.size * own // unit


def _layout(array: Array | None, parts: list[Value], dtype: str | None) -> Layout | None:
    """The layout given by ``counts``, ``counts, displacements`` or a pair of them."""
    given = [part for part in parts if not isinstance(part, Library)]
    if len(given) == 1 and isinstance(given[0], (list, tuple)) and _are_sequences(given[0]):
        given = list(given[0])
    counts = _numbers(given[0]) if given else None
    has_displacements = len(given) > 1 and given[1] is not None
    displacements = _numbers(given[1]) if has_displacements else None
    if counts is None or len(given) > 2 or (has_displacements and displacements is None):
        return None
    is_known = array is not None and not array.is_guessed and array.dtype == dtype
    if array is None or not is_known:
        return Layout(counts, displacements, None)
    return Layout(counts, displacements, array.size, rows_of(array))


def rows_of(array: Array) -> int | None:
    """The number of rows of an array with several dimensions, if they have several elements."""
    if array.is_guessed or array.shape is None or len(array.shape) == 1:
        return None
    return array.shape[0] if array.shape and (array.size or 0) > array.shape[0] else None


def _are_sequences(parts: list[Value] | tuple[Value, ...]) -> bool:
    return all(isinstance(part, (list, tuple, Array)) for part in parts)


def _numbers(value: Value) -> tuple[int, ...] | None:
    """Known numbers, one for each rank."""
    if isinstance(value, GuessedList) or (isinstance(value, Array) and value.is_guessed):
        return None
    known = views.lengths(value) if isinstance(value, (list, tuple, Array)) else None
    return None if known is None else tuple(known)


def integer(value: Value, what: str) -> int:
    """A rank, tag or root that must be known."""
    if isinstance(value, bool) or not isinstance(value, int):
        if isinstance(value, Symbol):
            raise Cut(f"an unknown {what}")
        raise Cut(f"a {what} of unusual type")
    return value


def check_usable(rank: Rank, communicator: CommunicatorView, event: Event) -> None:
    """Calls on COMM_NULL and on a freed communicator are faults."""
    if communicator.is_null:
        stop(rank, Fault(Kind.NULL, event, rank.number))
    if communicator.is_freed:
        stop(rank, Fault(Kind.FREED, event, rank.number))


def stop(rank: Rank, fault: Fault) -> None:
    """Report a fault that raises an exception in the program, as mpi4py does; one that it expects is no fault."""
    if fault.kind not in _ERRORS_OF_MPI or not expected_refusals.is_expected(rank):
        rank.world.report(fault)
    raised = Raised("mpi4py.MPI.Exception")
    raised.fields["*fault"] = fault
    raise ProgramError(raised)


_ERRORS_OF_MPI = frozenset({Kind.NULL, Kind.FREED, Kind.PEER, Kind.INVALID_TAG})
"""Faults that MPI itself finds, for which mpi4py raises ``MPI.Exception``."""


def check_buffer(rank: Rank, value: Value, event: Event) -> None:
    """A list of numbers has no buffer: mpi4py takes a list for a buffer with its counts, integers, and datatype."""
    has_parts = isinstance(value, (list, tuple)) and value and isinstance(value[0], Array)
    if has_parts and any(map(_holds_floats, value[1:])) and not rank.program.converts_counts:
        detail = "mpi4py takes integers as counts and displacements, no floats"
        stop(rank, Fault(Kind.NOT_WHOLE, event, rank.number, detail=detail))
    if isinstance(value, (list, tuple)) and _holds_numbers(value):
        kind = "tuple" if isinstance(value, tuple) else "list"
        stop(rank, Fault(Kind.NO_BUFFER, event, rank.number, detail=f"a {kind} of numbers has no buffer"))


def _holds_numbers(items: list[Value] | tuple[Value, ...]) -> bool:
    """Whether a list begins with a number and is no specification: a scalar of numpy has a buffer."""
    if not items or any(isinstance(item, Library) for item in items):
        return False
    is_long = len(items) > _LONGEST and isinstance(items[0], Symbol) and items[0].kind in ("int", "float")
    return is_long or type(items[0]) in _NUMBERS


_LONGEST = 4
"""A buffer, counts, displacements and a datatype."""

_NUMBERS = (bool, int, float, complex, RankNumber, RankCount)


def check_operator(rank: Rank, value: Value, event: Event, of_buffers: bool) -> None:
    """An operator is one of MPI; lower-case methods also take a function of two values, which `sum` is not."""
    dotted = value.dotted if isinstance(value, Library) else ""
    is_foreign = isinstance(value, FunctionValue) or dotted.startswith(_OF_PYTHON)
    if value is None or isinstance(value, str) or dotted == "builtins.sum" or (of_buffers and is_foreign):
        shown = repr(value) if value is None or isinstance(value, str) else dotted.rpartition(".")[2] or "a function"
        stop(rank, Fault(Kind.OPERAND, event, rank.number, detail=f"`{shown}` is no operator"))


_OF_PYTHON = ("builtins.", "operator.", "numpy.")


def check_contiguous(rank: Rank, array: Array | None, event: Event) -> None:
    """A buffer with gaps between its elements is a fault; mpi4py accepts both C and Fortran order."""
    if array is None or array.layout != STRIDED or array.is_guessed or array.is_jax or (array.size or 0) < 2:
        return
    detail = f"the elements of an array of shape {array.shape} are not contiguous"
    stop(rank, Fault(Kind.STRIDED_BUFFER, event, rank.number, detail=detail))


def _holds_floats(value: Value) -> bool:
    if isinstance(value, Array):
        return value.dtype.startswith("float") and not value.is_guessed and value.size != 0
    return isinstance(value, float) or (isinstance(value, (list, tuple)) and any(isinstance(x, float) for x in value))


def check_picklable(rank: Rank, value: Value, event: Event) -> None:
    """An object that `pickle` refuses is a fault where it is sent."""
    found = pickling.obstacle(value)
    if found is not None and not rank.program.pickles_more:
        stop(rank, Fault(Kind.UNPICKLABLE, event, rank.number, detail=f"{found} cannot be pickled"))


def is_known(communicator: CommunicatorView) -> bool:
    """Whether the members are known: calls on others are not compared."""
    return communicator.members is not None


def peer(rank: Rank, communicator: CommunicatorView, value: Value, event: Any) -> int:
    """The rank of a peer; one out of range is a fault, as is any source where a destination is required."""
    number = integer(value, "peer")
    if isinstance(value, RankCount):
        rank.world.uses_size = True
    size = len(communicator.peers or ())
    if number >= size or number < -2 or (number == -1 and isinstance(event, Send)):
        detail = f"rank {number} in a communicator of {size} ranks"
        constant = None if isinstance(value, RankNumber) or number < 0 else number
        stop(rank, Fault(Kind.PEER, event, rank.number, detail=detail, constant=constant))
    return number
