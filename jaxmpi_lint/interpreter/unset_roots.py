"""Roots that broadcast memory which nothing has set, or zeros, while the data is on a different rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_SET, _FOUND = "calls whose root has data", "root without data"
_UNSET = ("str", "uninitialised")


def note(world: World, present: dict[int, Collective]) -> None:
    """Record a `Bcast` from a root with new memory: another rank, or the root of another group, has set its memory.

    Where no rank has, as in the measurement of a network, the content does not matter.
    """
    first = next(iter(present.values()))
    if first.kind.removeprefix("I").capitalize() != "Bcast" or _FOUND in world.notes or len(present) == 1:
        return
    root = next((number for number, one in present.items() if one.root == one.communicator.number), None)
    buffers = {number: event.extra.get("buffer") for number, event in present.items()}
    are_known = all(isinstance(buffer, Array) or present[one].extra.get("unknown") for one, buffer in buffers.items())
    if root is None or not are_known or not isinstance(buffers[root], Array):
        return
    at = first.place.module.path, first.place.span
    places: set[object] = world.notes.setdefault(_SET, set())
    if not is_unset(buffers[root]):
        places.add(at)
        _note_zeros(world, present, root, buffers)
        return
    holder = next((number for number, buffer in sorted(buffers.items()) if not is_unset(buffer)), None)
    if holder is not None or at in places:
        detail = f"root {present[root].root} sends memory that nothing has set"
        other = present[holder] if holder is not None else None
        world.notes[_FOUND] = Fault(Kind.UNSET_ROOT, present[root], root, holder, other, detail)


def _note_zeros(world: World, present: dict[int, Collective], root: int, buffers: dict[int, Value]) -> None:
    """Record a root with zeros where one other rank has computed data, and all further ranks have the zeros too.

    If several ranks have data, it may be that of an earlier call, which the zeros replace.
    """
    zeros = {number for number, buffer in buffers.items() if _is_zero(buffer)}
    others = sorted(buffers.keys() - zeros)
    if root in zeros and len(zeros) > 1 and len(others) == 1 and _is_computed(buffers[others[0]]):
        detail = f"root {present[root].root} sends zeros, which replace the values of rank {others[0]}"
        world.notes[_FOUND] = Fault(Kind.UNSET_ROOT, present[root], root, others[0], present[others[0]], detail)


def _is_zero(buffer: Value) -> bool:
    cells = buffer.cells if isinstance(buffer, Array) and not buffer.is_guessed else None
    return bool(cells) and all(isinstance(cell, (int, float)) and cell == 0 for cell in cells or ())


def _is_computed(buffer: Value) -> bool:
    """Whether an array holds results of calls or of a file; numbers may be a marker."""
    if not isinstance(buffer, Array) or buffer.is_guessed or is_unset(buffer):
        return False
    cells = buffer.cells
    return buffer.store.symbol is not None if cells is None else any(isinstance(cell, Symbol) for cell in cells)


def fault(world: World) -> Fault | None:
    """The first call that `note` has recorded."""
    found: Fault | None = world.notes.get(_FOUND)
    return found


def is_unset(array: object) -> bool:
    """Whether all elements are as `numpy.empty` has left them."""
    if not isinstance(array, Array) or array.is_guessed or array.size == 0:
        return False
    cells = array.cells
    if cells is None:
        return array.store.cells is None and _is_new(array.store.symbol)
    return all(isinstance(cell, Symbol) and len(cell.key) > 1 and _is_new(cell.key[1]) for cell in cells)


def _is_new(symbol: object) -> bool:
    return isinstance(symbol, Symbol) and symbol.key[0] == _UNSET
