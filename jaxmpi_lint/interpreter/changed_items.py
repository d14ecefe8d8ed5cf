"""Changes of an element that an unknown index selects: each of the elements may be the one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import evaluation
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.operations import is_plain
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.library.python.container_methods import CHANGING

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_PERHAPS = "perhaps changed"


def before_store(rank: Rank, frame: Frame, owner: ir.Expression, value: Value) -> None:
    """``table[index][key] = value``: note the change of what the inner index selects."""
    _forget(rank, frame, owner, (value,))


def before_call(rank: Rank, frame: Frame, node: ir.Call, args: tuple[Value, ...]) -> None:
    """``lists[index].append(value)``: note the change of what the index selects."""
    if isinstance(node.func, ir.Attribute) and node.func.attr in CHANGING:
        _forget(rank, frame, node.func.value, args)


def _forget(rank: Rank, frame: Frame, element: ir.Expression, values: tuple[Value, ...]) -> None:
    if not isinstance(element, ir.Subscript):
        return
    container = evaluation.evaluate(rank, frame, element.value)
    index = evaluation.evaluate(rank, frame, element.index) if isinstance(container, (list, dict)) else None
    if isinstance(index, Symbol):
        for key, held in _entries(container):
            if isinstance(held, (list, dict, set)) or _is_changed(held):
                container[key] = _changed(rank, key, held, index, values)


def store(rank: Rank, container: list[Value], index: Symbol, value: Value) -> bool:
    """Store a value at an unknown index; whether that is possible, because all elements are data."""
    if not all(is_plain(one) or isinstance(one, Symbol) for one in (*container, value)):
        return False
    for key, held in _entries(container):
        container[key] = _changed(rank, key, held, index, (value,))
    return True


def _entries(container: Any) -> list[tuple[Any, Value]]:
    return list(container.items() if isinstance(container, dict) else enumerate(container))


def _is_changed(held: Value) -> bool:
    return isinstance(held, Symbol) and held.key[0] == ("str", _PERHAPS)


def _changed(rank: Rank, key: Value, held: Value, index: Symbol, values: tuple[Value, ...]) -> Symbol:
    kind = held.kind if isinstance(held, Symbol) else rank.models.type_of(held)
    return rank.symbol(_PERHAPS, key, held, index, *values, kind=kind)
