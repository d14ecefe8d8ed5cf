"""Symbols: values that exist only at run time, identified by how they are computed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

MAX_DEPTH = 5
"""Containers are part of a key down to this depth."""

MAX_PASSES = 64
"""Longer loops are sampled: their first passes and the last one."""

FEW_PASSES = 8
"""The same where a world would take too many steps otherwise."""


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """A value known by its computation only; two symbols are equal exactly if they are the same object.

    ``key`` is the operation and its operands. ``own`` has a word for each leaf that belongs to one process: ``clock``,
    ``random``, ``files``, ``machine``, ``received``, ``cache``. ``is_guess`` if an unknown call made it. ``kind`` is
    the type, where it is known: ``int``, ``float``, ``str``, ``bool``, ``list``, ``file`` and so on. ``operands`` are
    the symbols in the key.
    """

    key: tuple[object, ...]
    own: frozenset[str] = frozenset()
    is_guess: bool = False
    kind: str = ""
    number: int = 0
    operands: tuple[Symbol, ...] = ()

    def __repr__(self) -> str:
        """The number of the symbol: keys share parts, so that their text could be exponentially long."""
        return f"Symbol({self.number})"

    def words(self, depth: int = 4) -> set[str]:
        """The names of operations and functions in the key, down to a depth."""
        found: set[str] = set()
        level = {self}
        for _ in range(depth + 1):
            for symbol in level:
                _collect_words(symbol.key, found)
            level = {leaf for symbol in level for leaf in symbol.operands}
        return found


@dataclass(slots=True)
class Symbols:
    """All symbols of the worlds of one entry: the same key gives the same symbol in each rank and world.

    ``takes_defaults`` if options of the command line have their default values, ``reads_options`` if there are any.
    ``reads_arguments`` if the program reads its arguments itself: ``lacks_arguments`` if there are none,
    ``needs_arguments`` if it cannot do without.
    ``max_passes``: loops that are longer are sampled; with ``is_lean``, those of functions that do not communicate are
    sampled as with `FEW_PASSES`. ``roles`` of arguments that hold the number of a process.
    """

    takes_defaults: bool = False
    max_passes: int = MAX_PASSES
    is_lean: bool = False
    reads_options: bool = False
    reads_arguments: bool = False
    lacks_arguments: bool = False
    needs_arguments: bool = False
    roles: dict[object, str] = field(default_factory=dict)
    _known: dict[tuple[object, ...], Symbol] = field(default_factory=dict)

    def make(
        self,
        *key: object,
        own: Iterable[str] = (),
        is_guess: bool = False,
        kind: str = "",
        parts: Iterable[object] = (),
    ) -> Symbol:
        """The symbol of an operation; tags of the operands in ``key`` and ``parts`` carry over."""
        frozen = tuple(freeze(part) for part in key)
        known = self._known.get(frozen)
        if known is None:
            tags, guess = set(own), is_guess
            operands = tuple(symbols_of(frozen))
            for leaf in operands:
                tags |= leaf.own
                guess = guess or leaf.is_guess
            for leaf in symbols_of(tuple(freeze(part) for part in parts)):
                tags |= leaf.own
                guess = guess or leaf.is_guess
            known = self._known[frozen] = Symbol(frozen, frozenset(tags), guess, kind, len(self._known), operands)
        return known

    def users(self, operand: Symbol) -> list[Symbol]:
        """The symbols of operations on a symbol."""
        return [one for one in self._known.values() if operand in one.operands]


def _collect_words(frozen: object, found: set[str]) -> None:
    """The texts in a key, without those of the symbols in it."""
    if isinstance(frozen, str):
        found.add(frozen.rpartition(".")[2])
    elif isinstance(frozen, tuple):
        for part in frozen:
            _collect_words(part, found)


def symbols_of(frozen: object) -> Iterable[Symbol]:
    """The symbols in a description."""
    if isinstance(frozen, Symbol):
        yield frozen
    elif isinstance(frozen, tuple):
        for part in frozen:
            yield from symbols_of(part)


def reachable(frozen: object, ends_at: frozenset[str] = frozenset()) -> set[Symbol]:
    """The symbols in a description, and all that these are computed from.

    ``ends_at`` are the words of operations whose operands do not count.
    """
    found: set[Symbol] = set()
    todo = list(symbols_of(frozen))
    while todo:
        symbol = todo.pop()
        if symbol not in found:
            found.add(symbol)
            if not ends_at or ends_at.isdisjoint(symbol.words(0)):
                todo += symbol.operands
    return found


_PLAIN_NAMES = {
    **dict.fromkeys(("NumpyInt", "RankCount", "RankNumber", "OfNode", "OfJob"), "int"),
    **dict.fromkeys(("TextOfNode", "TextOfJob"), "str"),
    "NumpyFloat": "float",
}


def _plain_name(value: object) -> str:
    """The name of a plain type; a number or text that remembers where it comes from equals other ones."""
    name = type(value).__name__
    return _PLAIN_NAMES.get(name, name)


_EXACT: dict[type, str] = {one: one.__name__ for one in (str, int, bool, bytes, type(None))}
"""Types whose values describe themselves."""


def freeze(value: object, depth: int = MAX_DEPTH) -> object:
    """A hashable description that is equal for equal values; types are part of it, since ``1 == True``."""
    if isinstance(value, Symbol):
        return value
    exact = _EXACT.get(type(value))
    if exact is not None:
        return exact, value
    if isinstance(value, (int, float, complex, str, bytes)):
        return _plain_name(value), value if value == value else "nan"  # noqa: PLR0124
    if depth == 0:
        return "deep"
    if isinstance(value, (list, tuple)) and not isinstance(value, Unordered):
        return type(value).__name__, *(freeze(item, depth - 1) for item in value)
    if isinstance(value, (set, frozenset)):
        return "set", *sorted((freeze(item, depth - 1) for item in value), key=repr)
    if isinstance(value, dict):
        items = ((freeze(key, depth - 1), freeze(item, depth - 1)) for key, item in value.items())
        return "dict", *items
    if isinstance(value, range):
        return "range", value.start, value.stop, value.step
    described = getattr(value, "freeze", None)
    return described(depth - 1) if described is not None else ("value", type(value).__name__)


class Unordered(list[Any]):
    """Items of a container whose order has no meaning, as part of a key."""

    def freeze(self, depth: int) -> object:
        """The items in an order of their own."""
        return "unordered", *sorted((freeze(item, depth) for item in self), key=repr)
