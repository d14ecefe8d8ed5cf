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
    from jaxmpi_lint.interpreter.events import Collective
    from jaxmpi_lint.interpreter.interfaces import WorldView as World
    from jaxmpi_lint.interpreter.values import Value


def like_operands(made: Array, operands: Sequence[Value]) -> Array:
    """A new array whose memory numpy orders as that of its operands, by default in C order."""
    if any(isinstance(one, Array) and one.layout != "C" for one in operands):
        made.layout = ""
    return made


def check(world: World, present: dict[int, Collective]) -> None:
    """Report an exchange of parts whose send buffer is a transposed view, and whose receive buffer is in C order.

    Only `Alltoall` counts, which transposes an array that is divided among ranks: elsewhere a receiver may well be
    made for the memory of an array in Fortran order, as that of columns is.
    """
    for number, event in sorted(present.items()):
        sent, taken = event.extra.get("send"), event.extra.get("receive")
        if event.kind.lower().removeprefix("i") != "alltoall" or not event.extra.get("is_plain"):
            continue
        if _is_transposed(sent) and _is_empty(taken):
            shape = sent.shape if isinstance(sent, Array) else None
            detail = f"an array of shape {shape} is a transposed view: MPI sends its memory, in the order before"
            world.report(Fault(Kind.MEMORY_ORDER, event, number, detail=detail))
            return


def _is_transposed(sent: object) -> bool:
    """Whether an array is a view of one in C order, with its axes in reverse order."""
    if not isinstance(sent, Array) or sent.layout != "F" or not _has_order(sent.shape) or sent.is_guessed:
        return False
    if sent.indices is not None:
        return sent.indices != sorted(sent.indices)
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
