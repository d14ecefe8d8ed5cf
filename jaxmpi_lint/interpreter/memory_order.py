"""Arrays whose axes are in a different order than their memory, passed to MPI as buffers.

MPI moves memory, and a transposed array is a view of the same memory: what arrives is the array that was transposed.
mpi4py accepts a buffer that is contiguous in Fortran order (documentation of `MPI.buffer`, PEP 3118).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.arrays import Array, Shape
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective, Event, Receive, Send
    from jaxmpi_lint.interpreter.interfaces import WorldView as World
    from jaxmpi_lint.interpreter.values import Value


def like_operands(made: Array, operands: Sequence[Value]) -> Array:
    """A new array whose memory numpy orders as that of its operands, by default in C order."""
    if any(isinstance(one, Array) and one.layout != "C" for one in operands):
        made.layout = ""
    return made


def check(world: World, present: dict[int, Collective]) -> None:
    """Report a collective whose send buffer is a transposed view, and whose receive buffer is in C order.

    An `Alltoall` is reported too if a reshape is meant to have cut its array into blocks of columns.

    Only where the order of the indices is meant: `Alltoall` transposes an array that is divided among ranks, and a
    receiver of rows as long as those of the view has no use for its columns. A receiver may well be made for the memory
    of an array in Fortran order, as that of columns is.
    """
    for number, event in sorted(present.items()):
        if _kind(event) == "alltoall" and _is_cut_by_reshape(event.extra.get("send", event.payload), len(present)):
            _report_blocks(world, event, number)
            return
        for taken in _receivers(number, event, present):
            if _is_transposed(event.extra.get("send")) and _is_empty(taken) and _are_read_alike(event, taken):
                _report(world, event, number, event.extra["send"])
                return
        if _kind(event) == "bcast" and event.root == number and _is_transposed(event.extra.get("buffer")):
            others = [one.extra.get("buffer") for other, one in present.items() if other != number]
            if any(_is_empty(one) and one.shape == event.extra["buffer"].shape for one in others if one is not None):
                _report(world, event, number, event.extra["buffer"])
                return


def check_message(world: World, event: Receive, sender: int, send: Send) -> None:
    """Report a message of a transposed view that an array in C order of the same shape receives."""
    if _is_transposed(send.payload) and _is_empty(event.buffer) and event.dtype == send.dtype is not None:
        shape = send.payload.shape
        if event.buffer.shape == shape and shape != shape[::-1]:
            _report(world, send, sender, send.payload)


def _report(world: World, event: Event, number: int, sent: Array) -> None:
    detail = f"an array of shape {sent.shape} is transposed, but its memory is not: MPI sends it in the order before"
    world.report(Fault(Kind.MEMORY_ORDER, event, number, detail=detail))


def _report_blocks(world: World, event: Collective, number: int) -> None:
    sent = event.extra.get("send", event.payload)
    detail = f"reshaping an array of shape {sent.reshaped_from} to {sent.shape} puts rows into each block, not columns"
    world.report(Fault(Kind.BLOCK_ORDER, event, number, detail=detail))


def _is_cut_by_reshape(sent: object, size: int) -> bool:
    """Whether an array of rows is meant to be cut into blocks of columns: the shapes say so, a reshape makes none."""
    if not isinstance(sent, Array) or sent.is_guessed or sent.shape is None or sent.reshaped_from is None:
        return False
    rows, *others = sent.reshaped_from
    if not others or rows in (1, size) or size == 1 or others[0] % size:
        return False
    return sent.shape == (size, rows, others[0] // size, *others[1:])


def _kind(event: Collective) -> str:
    return event.kind.lower().removeprefix("i")


_OF_ROWS = ("gather", "gatherv", "allgather", "allgatherv", "scatter", "scatterv")


def _receivers(number: int, event: Collective, present: dict[int, Collective]) -> list[object]:
    """The receive buffers in which the send buffer of a rank arrives, if both have elements of a known dtype."""
    kind = _kind(event)
    if kind == "alltoall":
        return [event.extra.get("receive")] if event.extra.get("is_plain") else []
    if kind not in _OF_ROWS or (kind.startswith("scatter") and event.root != number):
        return []
    if kind.startswith("gather"):
        takers = [present[event.root]] if isinstance(event.root, int) and event.root in present else []
    else:
        takers = list(present.values())
    sides = [event.extra.get("sends"), *(one.extra.get("takes") for one in takers)]
    if any(side is None or side.dtype is None for side in sides):
        return []  # a derived datatype selects elements
    return [one.extra.get("receive") for one in takers]


def _are_read_alike(event: Collective, taken: object) -> bool:
    """Whether a receiver has rows of the same length as the sender, unlike the array that was transposed."""
    sent = event.extra["send"].shape
    if _kind(event) == "alltoall":
        return True
    return isinstance(taken, Array) and taken.shape is not None and taken.shape[-1] == sent[-1] != sent[0]


def _is_transposed(sent: object) -> bool:
    """Whether an array is a view of one in C order, with its axes in reverse order."""
    if not isinstance(sent, Array) or sent.layout != "F" or not _has_order(sent.shape) or sent.is_guessed:
        return False
    if sent.indices is not None:
        return sent.indices != sorted(sent.indices) and not sent.store.is_by_columns
    return isinstance(sent.selection, Symbol) and sent.selection.key[0] == ("str", "transposed")


def _is_empty(taken: object) -> bool:
    """Whether an array is in C order, as `numpy.empty` has just made it."""
    if not isinstance(taken, Array) or taken.layout != "C" or not _has_order(taken.shape):
        return False
    content = taken.store.cells[0] if taken.store.cells else taken.store.symbol
    if isinstance(content, Symbol) and content.key[0] == ("str", "cell") and isinstance(content.key[1], Symbol):
        content = content.key[1]
    return isinstance(content, Symbol) and content.key[0] == ("str", "uninitialised")


def _has_order(shape: Shape | None) -> bool:
    """Whether several axes have several elements."""
    return shape is not None and sum(length > 1 for length in shape) > 1
