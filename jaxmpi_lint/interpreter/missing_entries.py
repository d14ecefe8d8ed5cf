"""Entries of a `collections.defaultdict` that a function or class of the program makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import open_tables, operations
from jaxmpi_lint.interpreter.container_values import DefaultDict
from jaxmpi_lint.interpreter.special_methods import implicit
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.frames import Frame
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def fill_in(rank: Rank, frame: Frame, node: ir.Subscript, table: Value, index: Value) -> None:
    """Make the entry of a known key that is not there."""
    if not isinstance(table, DefaultDict) or table.make is None or callable(table.make):
        return
    key = operations.hashable(rank, index)
    is_known = not isinstance(key, Symbol) and not any(isinstance(one, Symbol) for one in table)
    if is_known and key not in table and not open_tables.is_open(table):
        table[key] = implicit(frame, node, "__missing__", table.make, ())
