"""The two buffers that one rank passes to a collective: the send buffer and the receive buffer must fit each other.

mpi4py raises an exception where the dtypes or counts of a reduction differ, and where a buffer that the rank needs is
None. MPI 4.1, sections 6.5 to 6.9.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.dtypes import SIZES, family
from jaxmpi_lint.interpreter.vector_counts import Side
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective

_REDUCTIONS = frozenset({"allreduce", "scan", "exscan", "reduce"})
_GATHERS = frozenset({"gather", "allgather"})
_VECTORS = frozenset({"gatherv", "allgatherv", "scatterv", "alltoallv"})
_INTEGERS, _FLOATS, _COMPLEX = 1, 2, 3
_NEEDED = {
    "bcast": {"buffer": False},
    "reduce": {"send": False, "receive": True},
    "gather": {"send": False, "receive": True},
    "scatter": {"send": True, "receive": False},
    "allreduce": {"send": False, "receive": False},
    "allgather": {"send": False, "receive": False},
    "alltoall": {"send": False, "receive": False},
    "scan": {"send": False, "receive": False},
    "exscan": {"send": False, "receive": False},
}
"""The buffers that may not be None, with whether only the root needs them."""

_OF_OTHERS = {"reduce": "send", "gather": "send", "gatherv": "send", "scatter": "receive", "scatterv": "receive"}
"""The buffer that each rank has, of which only the root may say that it is in place."""

_NAMES = {"buffer": "buffer", "send": "send buffer", "receive": "receive buffer"}


def check(present: dict[int, Collective]) -> Fault | None:
    """The first rank whose buffers do not fit each other."""
    name = next(iter(present.values())).kind
    if name.islower():
        return None
    kind = name.removeprefix("I").lower()
    checks: list[Callable[[Collective, int, str], Fault | None]] = [_missing, _in_place, _of_reduction, _room]
    for number, event in sorted(present.items()):
        for one in checks:
            fault = one(event, number, kind)
            if fault is not None:
                return fault
    return _from_root(present) if kind == "scatter" else _of_parts(present, kind)


def _is_root(event: Collective) -> bool:
    return event.root is None or event.root == event.communicator.number


def _missing(event: Collective, number: int, kind: str) -> Fault | None:
    """None where a buffer is needed."""
    for what, of_root in _NEEDED.get(kind, {}).items():
        if what in event.extra.get("missing", ()) and (_is_root(event) or not of_root):
            where = "on the root" if of_root else "on this rank"
            return Fault(Kind.COUNT, event, number, detail=f"the {_NAMES[what]} is None {where}")
    return None


def _in_place(event: Collective, number: int, kind: str) -> Fault | None:
    """A rank that is not the root and passes `MPI.IN_PLACE`."""
    what = _OF_OTHERS.get(kind, "")
    if what not in event.extra.get("in_place", ()) or not isinstance(event.root, int) or _is_root(event):
        return None
    return Fault(
        Kind.COUNT, event, number, detail=f"the {_NAMES[what]} is `MPI.IN_PLACE`, but this rank is not the root"
    )


def _sides(event: Collective) -> tuple[Side, Side] | None:
    sends, takes = event.extra.get("sends"), event.extra.get("takes")
    return (sends, takes) if isinstance(sends, Side) and isinstance(takes, Side) else None


def _of_reduction(event: Collective, number: int, kind: str) -> Fault | None:
    """The dtypes and counts of a reduction must be equal on both sides."""
    sides = _sides(event)
    if sides is None or kind not in _REDUCTIONS or not (_is_root(event) and event.extra.get("is_plain")):
        return None
    sends, takes = sides
    if sends.dtype and takes.dtype and sends.dtype != takes.dtype:
        detail = f"the send buffer is of {sends.dtype}, the receive buffer of {takes.dtype}"
        return Fault(Kind.DTYPE, event, number, detail=detail)
    if sends.count is not None and takes.count is not None and sends.count != takes.count:
        detail = f"{sends.count} elements are reduced into {takes.count}"
        return Fault(Kind.COUNT, event, number, detail=detail)
    return None


def _room(event: Collective, number: int, kind: str) -> Fault | None:
    """A receive buffer that is too small for what all ranks send."""
    sides, size = _sides(event), event.communicator.size
    if sides is None or size is None or kind not in _GATHERS or not _is_root(event):
        return None
    sends, takes = sides
    return _unfit(_Transfer(sends, takes, 1, size), event, number)


def _from_root(present: dict[int, Collective]) -> Fault | None:
    """A receive buffer of `Scatter` that is too small for the part that the root sends."""
    sender = next((event.extra.get("sends") for event in present.values() if _is_root(event)), None)
    for number, event in sorted(present.items()):
        takes, size = event.extra.get("takes"), event.communicator.size
        if isinstance(sender, Side) and isinstance(takes, Side) and size is not None:
            fault = _unfit(_Transfer(sender, takes, size, 1), event, number)
            if fault is not None:
                return fault
    return None


def _of_parts(present: dict[int, Collective], kind: str) -> Fault | None:
    """Numbers of another type in a collective with a count for each rank."""
    if kind not in _VECTORS:
        return None
    numbers = sorted(present)
    roots = [number for number in numbers if _is_root(present[number])]
    senders, takers = roots if kind == "scatterv" else numbers, roots if kind == "gatherv" else numbers
    for sender in senders:
        for taker in takers:
            sends, takes = present[sender].extra.get("sends"), present[taker].extra.get("takes")
            if not isinstance(sends, Side) or not isinstance(takes, Side) or sends.count == 0:
                continue
            if _is_reinterpreted(sends.dtype, takes.dtype):
                detail = f"{sends.dtype} is sent, {takes.dtype} is received"
                if sender == taker:
                    return Fault(Kind.DTYPE, present[sender], sender, detail=detail)
                return Fault(Kind.DTYPE, present[sender], sender, taker, present[taker], detail)
    return None


@dataclass(frozen=True, slots=True)
class _Transfer:
    """Parts of one buffer that arrive in another one; ``divided``: the number of parts of the first one."""

    sends: Side
    takes: Side
    divided: int
    arriving: int

    def bytes_of_part(self) -> tuple[int, int] | None:
        """The size of a part, and of the room for all that arrive, in bytes (or elements of one unknown dtype)."""
        sent, taken = self.sends, self.takes
        if sent.count is None or taken.count is None or sent.count % self.divided:
            return None
        sizes = [1, 1] if sent.dtype == taken.dtype else [SIZES.get(side.dtype or "", 0) for side in (sent, taken)]
        return (sent.count // self.divided * sizes[0], taken.count * sizes[1]) if all(sizes) else None


def _unfit(transfer: _Transfer, event: Collective, number: int) -> Fault | None:
    known = transfer.bytes_of_part()
    if _is_reinterpreted(transfer.sends.dtype, transfer.takes.dtype):
        detail = f"{transfer.sends.dtype} is sent, {transfer.takes.dtype} is received"
        return Fault(Kind.DTYPE, event, number, detail=detail)
    if known is None or known[1] >= known[0] * transfer.arriving:
        return None
    part, room = known
    what = "elements" if transfer.sends.dtype == transfer.takes.dtype else "bytes"
    detail = f"{room} {what} where {part * transfer.arriving} arrive"
    whole, piece = (part * transfer.divided, room) if transfer.divided > 1 else (room, part)
    return Fault(Kind.COUNT, event, number, detail=detail, constant=_made_for(whole, piece))


def _is_reinterpreted(sent: str | None, taken: str | None) -> bool:
    """Whether the received numbers are different ones: bytes, signs and parts of complex numbers may be on purpose."""
    if sent == taken or SIZES.get(sent or "", 1) == 1 or SIZES.get(taken or "", 1) == 1:
        return False
    families = {family(sent or ""), family(taken or "")}
    return families != {_FLOATS, _COMPLEX} and (families != {_INTEGERS} or SIZES[sent or ""] != SIZES[taken or ""])


def _made_for(whole: int, part: int) -> int | None:
    """The number of ranks for which a buffer of all parts is exactly large enough."""
    return whole // part if part > 0 and whole % part == 0 and whole > part else None
