"""Texts of values in formats, and objects whose texts are asked for: their methods may communicate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import operations
from jaxmpi_lint.interpreter.container_values import Record
from jaxmpi_lint.interpreter.values import FunctionValue, Instance, Library, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

TEXT, REPRESENTATION = ("__str__", "__repr__"), ("__repr__",)
"""The methods that make the text of an object, the first one that it has."""


def methods_for(conversion: ir.Expression | None) -> tuple[str, ...]:
    """The methods that a format asks for, by the conversion after it."""
    is_representation = isinstance(conversion, ir.Constant) and conversion.value in ("!r", "!a")
    return REPRESENTATION if is_representation else TEXT


def method_of(rank: Rank, value: Value, names: tuple[str, ...] = TEXT) -> FunctionValue | None:
    """The method of an object of the project that makes its text, if it may communicate; others need not be run."""
    if not isinstance(value, Instance):
        return None
    found = (value.cls.find(name) for name in names)
    method = next((one for one in found if isinstance(one, FunctionValue)), None)
    is_run = method is not None and rank.program.may_communicate(method.module, method.ir)
    return method if is_run else None


def in_format(rank: Rank, value: Value, form: Value) -> Value:
    """A value as a format or a conversion shows it."""
    if form in ("!s", "!r", "!a"):
        if not operations.is_plain(value) or isinstance(value, (set, frozenset, Record)):
            return rank.symbol("text", form, value, kind="str")
        return str(value) if form == "!s" else repr(value) if form == "!r" else ascii(value)
    if isinstance(value, (str, int, float)) and isinstance(form, str):
        try:
            return format(value, form)
        except ValueError:
            return rank.symbol("text", value, kind="str")
    return rank.symbol("call", Library("builtins.format"), value, form, kind="str")
