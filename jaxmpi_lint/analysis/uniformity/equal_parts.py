"""Lists of which all elements are one value: `scatter` gives every process the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import definitions, names_stored

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def has_equal_parts(function: Function, given: ir.Expression | None) -> bool:
    """Whether a list has one value in all elements: ``[done] * size``, ``[done for _ in range(size)]``."""
    values = definitions(function, given.id) if isinstance(given, ir.Name) else [given] if given is not None else None
    lists = [value for value in values or () if not ir.is_none(value)]
    return bool(lists) and all(map(_repeats, lists))


def _repeats(value: ir.Expression) -> bool:
    match value:
        case ir.Comprehension(kind="list", element=element, generators=generators):
            bound = {name for one in generators for name in names_stored(one.target)}
            nodes = list(ir.walk(element))
            is_made_anew = any(isinstance(node, ir.Call) for node in nodes)
            return not (is_made_anew or any(isinstance(node, ir.Name) and node.id in bound for node in nodes))
        case ir.BinaryOperation(operator="*", left=ir.Collection(kind="list", elements=(_,))):
            return True
    return False
