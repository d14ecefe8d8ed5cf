"""What differs between two packed snapshots of one host: most columns are as before while ranks wait.

Equal parts are left out. Of a table with as many rows as before, a column that is equal is 0, and numbers without
order, such as processor times, are stored as differences if these take less space. ValueError, TypeError, KeyError or
IndexError if differences are damaged, or of another snapshot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxmpi_lint.runtime.hosts import columns
from jaxmpi_lint.runtime.hosts.columns import Column
from jaxmpi_lint.runtime.hosts.portable import TABLES, Packed, Table

_SAME = 0


def between(before: Packed, after: Packed) -> Packed:
    """What is needed to make ``after`` of ``before``."""
    return {
        name: _of_table(before[name], part) if name in TABLES else part
        for name, part in after.items()
        if part != before[name]
    }


def applied(before: Packed, found: Packed) -> Packed:
    """The later snapshot."""
    changed = {name: _table(before[name], part) if name in TABLES else part for name, part in found.items()}
    return {**before, **changed}


def _of_table(before: Table, after: Table) -> Table:
    if before[0] != after[0]:
        return after
    return [after[0], *(_of_column(old, new, after[0]) for old, new in zip(before[1:], after[1:], strict=True))]


def _of_column(before: Column, after: Column, length: int) -> Any:
    if before == after:
        return _SAME
    if not (columns.is_noisy(before) and columns.is_noisy(after)):
        return after
    numbers = zip(columns.unpacked(before, length), columns.unpacked(after, length), strict=True)
    differences = columns.packed([new - old for old, new in numbers])
    return ["-", differences] if len(str(differences)) < len(str(after)) else after


def _table(before: Table, found: Table) -> Table:
    if before[0] != found[0]:
        return found
    return [found[0], *(_column(old, new, found[0]) for old, new in zip(before[1:], found[1:], strict=True))]


def _column(before: Column, found: Any, length: int) -> Column:
    if found == _SAME:
        return before
    return found if len(found) == 1 or found[0] != "-" else _sum(before, found[1], length)


def _sum(before: Column, differences: Column, length: int) -> Sequence[Any]:
    both = zip(columns.unpacked(before, length), columns.unpacked(differences, length), strict=True)
    return columns.plain([old + more for old, more in both])
