"""Arrays whose axes are in a different order than their memory, passed to MPI as buffers.

MPI moves memory, and a transposed array is a view of the same memory: what arrives is the array that was transposed.
mpi4py accepts a buffer that is contiguous in Fortran order (documentation of `MPI.buffer`, PEP 3118).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.arrays import Array, Shape
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective, Receive, Send
    from jaxmpi_lint.interpreter.interfaces import WorldView as World
    from jaxmpi_lint.interpreter.values import Value


def like_operands(made: Array, operands: Sequence[Value]) -> Array:
    """A new array whose memory numpy orders as that of its operands, by default in C order."""
    if any(isinstance(one, Array) and one.layout != "C" for one in operands):
        made.layout = ""
    return made


def check_collective(world: World, present: dict[int, Collective]) -> None:
    """Report the first rank whose send buffer is in Fortran order where a receive buffer is in C order."""
    for number, event in sorted(present.items()):
        if not event.extra.get("is_plain"):
            continue
        root = next((other for other, one in present.items() if one.root == one.communicator.number), number)
        sent, taken = event.extra.get("send"), event.extra.get("receive")
        if "buffer" in event.extra:
            sent, taken = present[root].extra.get("buffer"), event.extra["buffer"]
        elif not isinstance(taken, Array):
            taken = present[root].extra.get("receive")
        if is_reordered(sent, taken):
            world.report(Fault(Kind.MEMORY_ORDER, event, number, detail=_detail(sent)))
            return


def check_message(world: World, receiver: int, event: Receive, sender: int, send: Send) -> None:
    """Report a message from a buffer in Fortran order to one in C order."""
    if not event.is_object and is_reordered(send.payload, event.buffer):
        world.report(Fault(Kind.MEMORY_ORDER, send, sender, receiver, event, _detail(send.payload)))


def is_reordered(sent: object, taken: object) -> bool:
    """Whether the elements arrive in a different order than that of the indices of the array that is sent.

    A receive buffer whose last axes are those of the sent array in reverse order is made for its memory.
    """
    if not (isinstance(sent, Array) and isinstance(taken, Array)) or sent is taken:
        return False
    if sent.shape is None or taken.shape is None or sent.is_guessed or taken.is_guessed:
        return False
    if (sent.layout, taken.layout) != ("F", "C") or not (_has_order(sent.shape) and _has_order(taken.shape)):
        return False
    memory = sent.shape[::-1]
    return memory == sent.shape or taken.shape[-len(memory) :] != memory


def _has_order(shape: Shape) -> bool:
    """Whether several axes have several elements."""
    return sum(length > 1 for length in shape) > 1


def _detail(sent: object) -> str:
    shape = sent.shape if isinstance(sent, Array) else None
    return f"an array of shape {shape} is a transposed view: MPI sends its memory, in the order before"
