"""Identity and membership: ``is``, ``in`` and their opposites, for values that may be unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.open_tables import is_open
from jaxmpi_lint.interpreter.operations import equal, is_element, is_plain
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.unknown_keys import candidates, is_partly_known
from jaxmpi_lint.interpreter.unknown_methods import as_data
from jaxmpi_lint.interpreter.values import Instance, Library, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def compare(rank: Rank, operator: str, left: Value, right: Value) -> Value:
    """Identity and membership."""
    if operator in ("is", "is not"):
        return _identity(rank, left, right, operator == "is")
    truth = operator == "in"
    if isinstance(right, range) and is_plain(left):
        return (left in right) is truth
    if isinstance(right, (list, tuple, set, frozenset, dict, str)):
        if is_plain(left) and (isinstance(right, str) or all(is_plain(item) for item in right)):
            if isinstance(right, str) and not isinstance(left, str):
                raise fail("TypeError")
            return (left in right) is truth
        if is_element(left) and not isinstance(right, str) and all(map(is_element, right)):
            return (left in right) is truth
        is_table = isinstance(right, (dict, set, frozenset)) and not is_open(right)
        if is_table and is_partly_known(left) and (left in right or not candidates(right, left)):
            return (left in right) is truth
        if is_open(right) and is_plain(left) and left in right:
            return truth
        if not isinstance(right, str) and any(item is left for item in right):
            return truth
        if isinstance(right, (dict, set)) and not right:
            return not truth
        if isinstance(right, (list, tuple)) and not isinstance(right, GuessedList):
            if len(right) == 1:
                return equal(rank, right[0], left, truth)
            if is_plain(left) or isinstance(left, Instance) or not right:
                return any(rank.truth(equal(rank, item, left, True)) for item in right) is truth
    return rank.symbol("operation", operator, left, right, kind="bool")


def _identity(rank: Rank, left: Value, right: Value, truth: bool) -> Value:
    if left is right:
        return truth
    if isinstance(left, Instance) and isinstance(right, Instance) and left.cls.is_enumeration:
        return equal(rank, left, right, truth)
    left, right = as_data(rank, left), as_data(rank, right)
    if isinstance(left, Symbol) or isinstance(right, Symbol):
        if isinstance(left, Symbol) and isinstance(right, Symbol):
            return rank.symbol("operation", "is" if truth else "is not", left, right, kind="bool")
        symbol, other = (left, right) if isinstance(left, Symbol) else (right, left)
        if other is None and (symbol.kind or _is_computed(symbol)):
            return not truth
        return rank.symbol("operation", "is" if truth else "is not", symbol, other, kind="bool")
    if isinstance(left, Library) and isinstance(right, Library):
        return _same_name(rank, left, right, truth)
    alike = type(left) is type(right) or (_is_number(left) and _is_number(right))  # small integers are one object
    same = left.same(right) if hasattr(left, "same") else (is_plain(left) and alike and left == right)
    if isinstance(left, (list, dict, set)):
        same = False
    return same is truth


def _same_name(rank: Rank, left: Library, right: Library, truth: bool) -> Value:
    """Names of libraries are the same object if they are equal; different ones may be two names of one."""
    if left.dotted == right.dotted:
        return truth
    if left.dotted.startswith("builtins.") and right.dotted.startswith("builtins."):
        return not truth
    return rank.symbol("operation", "is" if truth else "is not", left, right, kind="bool")


def _is_computed(symbol: Symbol) -> bool:
    """Whether arithmetic makes a value, which then is not None."""
    match symbol.key:
        case (("str", "operation"), ("str", "+" | "-" | "*" | "/" | "//" | "%" | "**" | "@"), _, _):
            return True
    return False


def _is_number(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
