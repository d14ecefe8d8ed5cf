"""Meshes and shardings: whether their devices are provably those of all JAX processes, or of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.lattice.limits import DEVICE_SET_DEFINITIONS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def asks_for(function: Function, expression: ir.Expression, names: frozenset[str], depth: int = 0) -> bool:
    """Whether an expression, or a value bound to its names, requests certain devices."""
    if depth > DEVICE_SET_DEFINITIONS:
        return False
    for node in ir.walk(expression):
        if isinstance(node, (ir.Call, ir.Attribute)):
            called = node.func if isinstance(node, ir.Call) else node
            if (ir.dotted(called) or "").rpartition(".")[2] in names:
                return True
        elif isinstance(node, ir.Name):
            found = visible_definitions(function, node.id)
            if found is not None and any(asks_for(found[0], value, names, depth + 1) for value in found[1]):
                return True
    return False
