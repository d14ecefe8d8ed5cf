"""Attributes of values without a model: methods where they are called, data everywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Method, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def as_data(rank: Rank, value: Value) -> Value:
    """The symbol of an attribute that no model knows: it is a method only where it is called."""
    if isinstance(value, Method) and (isinstance(value.receiver, Symbol) or not _is_known(rank, value)):
        return rank.symbol("attribute", value.receiver, value.name)
    return value


def _is_known(rank: Rank, method: Method) -> bool:
    return rank.models.method(rank.models.type_of(method.receiver), method.name) is not None
