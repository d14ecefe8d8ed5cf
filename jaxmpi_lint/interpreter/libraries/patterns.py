"""`re`: patterns that are applied to known texts, if they are simple enough."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import operations
from jaxmpi_lint.interpreter.libraries.handlers import pure
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Library, Method, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_LONGEST_PATTERN = 120
_LONGEST_TEXT = 200
_MOST_REPEATS = 3
_REPEATED_GROUP = re.compile(r"(?<!\\)\)[*+{]")
_REPEAT = re.compile(r"(?<!\\)[*+{]")
"""A pattern whose groups are repeated, or with many repeats, could take very long."""

_KINDS = {"sub": "str", "split": "list", "findall": "list", "search": "", "match": "", "fullmatch": ""}


class Pattern(Modelled):
    """`re.compile` of a known pattern."""

    __slots__ = ("compiled",)
    type_name = "pattern"

    def __init__(self, compiled: re.Pattern[str]) -> None:
        self.compiled = compiled

    def freeze(self, _depth: int) -> object:
        """The text and the flags."""
        return "pattern", self.compiled.pattern, self.compiled.flags


class MatchValue(Modelled):
    """A match in a known text."""

    __slots__ = ("match",)
    type_name = "match"

    def __init__(self, match: re.Match[str]) -> None:
        self.match = match

    def freeze(self, _depth: int) -> object:
        """The text, the pattern and the place."""
        return "match", self.match.string, self.match.re.pattern, self.match.span()

    def item(self, _rank: Rank, index: Value) -> Value:
        """``match[group]``."""
        return self.match[index] if isinstance(index, (int, str)) else None


def compiled(pattern: Value, flags: Value = 0) -> re.Pattern[str] | None:
    """A pattern that can be applied; None for others."""
    if isinstance(pattern, Pattern):
        return pattern.compiled
    if not isinstance(pattern, str) or type(flags) is not int or len(pattern) > _LONGEST_PATTERN:
        return None
    if _REPEATED_GROUP.search(pattern) or len(_REPEAT.findall(pattern)) > _MOST_REPEATS:
        return None
    try:
        return re.compile(pattern, flags)
    except (re.error, OverflowError):
        return None


def _compile(rank: Rank, arguments: Arguments) -> Value:
    found = compiled(arguments.get(0, "pattern"), _flags(arguments.get(1, "flags", 0)))
    return pure("re.compile", "pattern")(rank, arguments) if found is None else Pattern(found)


def _flags(value: Value) -> Value:
    """The number of one flag that the program names."""
    name = value.dotted.rpartition(".")[2] if isinstance(value, Library) else ""
    return int(getattr(re, name)) if name in _FLAGS else value


_FLAGS = frozenset("A ASCII I IGNORECASE M MULTILINE S DOTALL X VERBOSE".split())


def _function(name: str) -> Handler:
    """``re.match(pattern, text)`` and the like."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        flags = _flags(arguments.keywords.get("flags", 0))
        found = compiled(arguments.get(0, "pattern"), flags)
        rest = Arguments(arguments.values[1:], {key: one for key, one in arguments.keywords.items() if key != "flags"})
        return _applied(rank, name, found, arguments, rest)

    return call


def _method(name: str) -> Callable[..., Value]:
    """``pattern.match(text)`` and the like."""

    def call(rank: Rank, pattern: Pattern | Symbol, arguments: Arguments) -> Value:
        given = Arguments((pattern, *arguments.values), arguments.keywords)
        return _applied(rank, name, compiled(pattern), given, arguments)

    return call


def _applied(rank: Rank, name: str, pattern: re.Pattern[str] | None, given: Arguments, arguments: Arguments) -> Value:
    """The result for known arguments; ``given`` are those with the pattern."""
    values = arguments.every()
    text = arguments.get(1 if name == "sub" else 0, "string")
    is_known = pattern is not None and isinstance(text, str) and len(text) <= _LONGEST_TEXT
    if not is_known or not all(map(operations.is_plain, values)):
        return pure(f"re.{name}", _KINDS[name])(rank, given)
    try:
        found = getattr(pattern, name)(*arguments.values, **arguments.keywords)
    except (re.error, TypeError, ValueError, IndexError):
        return pure(f"re.{name}", _KINDS[name])(rank, given)
    return MatchValue(found) if isinstance(found, re.Match) else found


def _of_match(name: str) -> Callable[..., Value]:
    def call(rank: Rank, match: MatchValue, arguments: Arguments) -> Value:
        if not all(map(operations.is_plain, arguments.every())):
            return rank.symbol("call", Method(match, name), *arguments.every())
        try:
            return getattr(match.match, name)(*arguments.values, **arguments.keywords)
        except (IndexError, TypeError) as error:
            raise fail(type(error).__name__) from None

    return call


FUNCTIONS: dict[str, Any] = {"re.compile": _compile, **{f"re.{name}": _function(name) for name in _KINDS}}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "pattern": {name: _method(name) for name in _KINDS},
    "match": {name: _of_match(name) for name in "group groups groupdict start end span expand".split()},
}
