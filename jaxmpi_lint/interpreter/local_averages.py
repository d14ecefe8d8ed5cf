"""Sums over the devices of all processes that are divided by the number of devices of one process.

``jax.lax.psum(x, "devices") / jax.local_device_count()`` is the mean with one process, and too large by the number of
processes with several. A sum of a constant counts the devices, and may be divided on purpose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.events import Access
from jaxmpi_lint.interpreter.operations import is_plain
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_SUMS, _FOUND = "sums over all devices", "averages over the own devices"
_COUNT = (("str", "local devices"),)
_SCALES = frozenset({"/", "//", "*"})
_DETAIL = "the sum over the devices of all processes is divided by the number of devices of one process"


def note_sum(rank: Rank, summed: Value, result: Value) -> None:
    """Remember a sum over the devices of all processes."""
    content = _content(result)
    if content is not None and not _is_constant(summed):
        rank.state.setdefault(_SUMS, set()).add(content)


def check(rank: Rank, node: ir.Expression, operator: str, operands: tuple[Value, Value], result: Value) -> None:
    """Record the first division of such a sum by the number of the own devices."""
    if operator != "/" or not isinstance(operands[1], Symbol) or _FOUND in rank.world.notes:
        return
    if _is_own_count(operands[1]) and _content(operands[0]) in rank.state.get(_SUMS, ()):
        event = Access(rank.place(node.span), "division")
        found = Fault(Kind.LOCAL_AVERAGE, event, rank.number, detail=_DETAIL)
        rank.world.notes[_FOUND] = found, _content(result)


def fault(world: World) -> Fault | None:
    """The division that `check` has recorded, unless its result is divided by the number of processes too."""
    recorded: tuple[Fault, Symbol | None] | None = world.notes.get(_FOUND)
    if recorded is None:
        return None
    found, result = recorded
    return None if result is None or _is_scaled(world, result) else found


def _is_scaled(world: World, result: Symbol) -> bool:
    size = freeze(world.size)
    return any(user.words(0) & _SCALES and size in user.key for user in world.symbols.users(result))


def _is_own_count(symbol: Symbol) -> bool:
    """Whether a symbol is `jax.local_device_count()` or ``len(jax.local_devices())``."""
    match symbol.key:
        case (("str", "length"), ("devices", "local", _)):
            return True
    return symbol.key == _COUNT


def _content(value: Value) -> Symbol | None:
    """The symbol of a value or of all elements of an array."""
    if isinstance(value, Array):
        cells = value.cells
        if cells is None:
            return value.store.symbol
        return cells[0] if cells and isinstance(cells[0], Symbol) else None
    return value if isinstance(value, Symbol) else None


def _is_constant(value: Value) -> bool:
    if isinstance(value, Array):
        return value.cells is not None and all(map(is_plain, value.cells))
    return is_plain(value)
