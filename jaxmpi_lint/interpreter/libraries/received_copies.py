"""Receives into a copy that an index of positions makes, ``comm.Recv(u[ghosts])``: what arrives is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.buffer_specs import specification
from jaxmpi_lint.interpreter import evaluation
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.events import Collective, Event
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_BUFFERS = {"Recv": (0, "buf"), "Irecv": (0, "buf"), "Sendrecv": (3, "recvbuf"), "Bcast": (0, "buf")}
_OF_COLLECTIVES = (1, "recvbuf")


def check_kept(rank: Rank, array: Array | None, event: Event) -> None:
    """A buffer that an index of positions or a mask makes for the call is a fault; numpy copies these elements."""
    if array is None or not array.is_selected:
        return
    frame = rank.frames[-1]
    call = next((one for one in frame.function.calls() if one.span == rank.state["span"]), None)
    where = _BUFFERS.get(event.label, _OF_COLLECTIVES if isinstance(event, Collective) else None)
    given = None if call is None or where is None else call.argument(*where)
    spec = specification(given)
    if spec is None or not isinstance(spec.buffer, ir.Subscript):
        return
    if isinstance(evaluation.evaluate(rank, frame, spec.buffer.value), Array):  # not a list that keeps the copies
        detail = frame.scope.module.ir.line(spec.buffer.span)
        rank.world.report(Fault(Kind.RECEIVED_COPY, event, rank.number, detail=detail))
