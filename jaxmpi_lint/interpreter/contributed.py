"""What the ranks contribute to a collective operation by their buffers, and the parts that each of them gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import used_elements
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.values import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jaxmpi_lint.interpreter.events import Collective


def is_in_place(event: Collective, what: str) -> bool:
    """Whether ``MPI.IN_PLACE`` stands for a buffer."""
    return what in event.extra.get("in_place", ())


def target(event: Collective, what: str = "receive") -> Value:
    """The elements of a buffer that an operation may write; all of them if it is not known which."""
    used = event.extra.get("used", {}).get(what)
    is_known = isinstance(used, Array) and not used.is_some and used.shape is not None
    return used_elements.in_memory_order(used) if is_known else event.extra.get(what)


def cells_of(event: Collective, what: str) -> list[Value] | None:
    """The elements of a buffer that an operation reads, in the order of the memory; None if they are not known."""
    source = event.extra.get(what)
    used = event.extra.get("used", {}).get(what, source)
    if not isinstance(used, Array) or used.is_some or used.cells is None:
        return None
    return used_elements.in_memory_order(used).cells


def part_of(event: Collective, present: Mapping[int, Collective]) -> list[Value] | None:
    """The elements that a rank contributes to a gather; in place, they are its part of the receive buffer."""
    cells = cells_of(event, "send")
    if cells is None or not is_in_place(event, "send"):
        return cells
    number = event.communicator.number
    if number is None or len(cells) % len(present):
        return None
    length = len(cells) // len(present)
    return cells[number * length : (number + 1) * length]


def exchanged(present: Mapping[int, Collective]) -> dict[int, list[Value]] | None:
    """The elements that each rank receives by `Alltoall`; None if they are not known."""
    sent = [cells_of(event, "send") if event.extra.get("is_plain") else None for event in present.values()]
    known = [cells for cells in sent if cells is not None]
    if len(known) < len(sent) or any(len(cells) != len(known[0]) for cells in known) or len(known[0]) % len(sent):
        return None
    length = len(known[0]) // len(sent)
    return {
        number: [cell for cells in known for cell in cells[index * length : (index + 1) * length]]
        for index, number in enumerate(present)
    }


def columns(present: Mapping[int, Collective]) -> list[list[Value]] | None:
    """For each element of the buffers its values on all ranks, in their order; None if they are not known."""
    sent = [cells_of(event, "send") if event.extra.get("is_plain") else None for event in present.values()]
    known = [cells for cells in sent if cells is not None]
    if len(known) < len(sent) or any(len(cells) != len(known[0]) for cells in known):
        return None
    return [list(column) for column in zip(*known, strict=True)]


def divided(present: Mapping[int, Collective], whole: list[Value] | None) -> dict[int, list[Value]] | None:
    """The part of each rank of a result, as long as its receive buffer; None if the parts do not fit."""
    targets = [target(event) for event in present.values()]
    sizes = [one.size if isinstance(one, Array) else None for one in targets]
    lengths = [size for size in sizes if size is not None]
    if whole is None or len(lengths) < len(sizes) or sum(lengths) != len(whole):
        return None
    found: dict[int, list[Value]] = {}
    for number, length in zip(present, lengths, strict=True):
        found[number], whole = whole[:length], whole[length:]
    return found
