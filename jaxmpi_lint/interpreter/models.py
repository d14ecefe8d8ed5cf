"""What the interpreter knows of libraries: names, functions and methods, from one module for each library."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.container_values import Record
from jaxmpi_lint.interpreter.raised import unfit
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Library, Method, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

Handler = Callable[..., Any]
"""``handler(rank, arguments)`` for functions, ``handler(rank, receiver, arguments)`` for methods; a generator function
if it communicates or calls the program."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call."""

    values: tuple[Value, ...]
    keywords: Mapping[str, Value]

    def get(self, position: int, name: str = "", default: Value = None) -> Value:
        """An argument by position or name."""
        if name and name in self.keywords:
            return self.keywords[name]
        return self.values[position] if 0 <= position < len(self.values) else default

    def has(self, position: int, name: str = "") -> bool:
        """Whether an argument is given."""
        return (bool(name) and name in self.keywords) or 0 <= position < len(self.values)

    def every(self) -> list[Value]:
        """All values."""
        return [*self.values, *self.keywords.values()]


class Modelled:
    """Base of objects of libraries that a model knows: communicators, requests, windows, files."""

    __slots__ = ()
    type_name = "object"

    def attribute(self, rank: Rank, name: str) -> Value:
        """A field, or by default a method that the model of the type has."""
        if rank.models.has_method(self.type_name, name):
            return Method(self, name)
        return rank.symbol("attribute", self, name)

    def set_attribute(self, rank: Rank, name: str, value: Value) -> None:
        """Assignments are ignored by default."""

    def set_item(self, rank: Rank, index: Value, value: Value) -> None:
        """``self[index] = value``, ignored by default."""


class Models:
    """The tables of all libraries."""

    def __init__(self, parts: Iterable[Any]) -> None:
        self._functions: dict[str, Handler] = {}
        self._methods: dict[tuple[str, str], Handler] = {}
        self._constants: dict[str, Callable[[Any], Value]] = {}
        self._pure: set[str] = set()
        self._classes: dict[type, str] = {}
        self._families: dict[str, tuple[str, Callable[[str, Handler | None], Handler]]] = {}
        for part in parts:
            self._functions.update(getattr(part, "FUNCTIONS", {}))
            self._constants.update(getattr(part, "CONSTANTS", {}))
            self._classes.update(getattr(part, "TYPES", {}))
            self._pure |= set(getattr(part, "PURE", ()))
            self._families.update(getattr(part, "FAMILIES", {}))
            for name, methods in getattr(part, "METHODS", {}).items():
                self._methods.update({(name, method): handler for method, handler in methods.items()})
        self._generators = {
            handler
            for handler in (*self._functions.values(), *self._methods.values())
            if inspect.isgeneratorfunction(handler)
        }

    def communicates(self, handler: Handler) -> bool:
        """Whether a handler is a generator function."""
        return handler in self._generators

    def function(self, dotted: str) -> Handler | None:
        """The model of a library function."""
        known = self._functions.get(dotted)
        return known if known is not None or ":" in dotted else self._of_family(dotted)

    def _of_family(self, dotted: str) -> Handler | None:
        """The model of a function of a module that mirrors another one, such as `jax.numpy`."""
        for prefix, (mirrored, make) in self._families.items():
            if dotted.startswith(prefix):
                same = self._functions.get(mirrored + dotted[len(prefix) :]) if mirrored else None
                made = self._functions[dotted] = make(dotted, same)
                if inspect.isgeneratorfunction(made):
                    self._generators.add(made)
                return made
        return None

    def method(self, type_name: str, name: str) -> Handler | None:
        """The model of a method; that of the name ``*`` stands for all others of its type."""
        found = self._methods.get((type_name, name))
        return self._methods.get((type_name, "*")) if found is None and not name.startswith("__") else found

    def has_method(self, type_name: str, name: str) -> bool:
        """Whether the method is known."""
        return (type_name, name) in self._methods

    def is_known(self, dotted: str) -> bool:
        """Whether a library has a function or a constant of this name, as far as it is modelled."""
        return dotted in self._constants or self.function(dotted) is not None

    def is_pure(self, dotted: str) -> bool:
        """Whether a function without a model neither communicates nor changes what is handed to it.

        Its result depends on its arguments alone.
        """
        return _is_below(dotted, self._pure)

    def attribute(self, rank: Rank, owner: Library, name: str) -> Value:
        """A name of a library."""
        dotted = rank.canonical(f"{owner.dotted}.{name}")
        assigned: dict[str, Value] = rank.state.get("assigned", {})
        if dotted in assigned:
            return assigned[dotted]
        constant = self._constants.get(dotted)
        return constant(rank) if constant is not None else Library(dotted)

    def constant(self, rank: Rank, dotted: str) -> Value:
        """A name of a library, as an import binds it."""
        constant = self._constants.get(rank.canonical(dotted))
        return constant(rank) if constant is not None else Library(rank.canonical(dotted))

    def type_of(self, value: Value) -> str:
        """The name of the type under which methods are known."""
        known = next((self._classes[kind] for kind in type(value).__mro__ if kind in self._classes), None)
        if known is not None:
            return known
        return getattr(value, "type_name", "")

    def of_data(self, rank: Rank, owner: Value, name: str) -> Value:
        """An attribute of a plain value or array."""
        kind = self.type_of(owner)
        if isinstance(owner, Record) and name in owner.names:
            return owner[owner.names.index(name)]
        attribute = self._functions.get(f"{kind}.{name}:attribute")
        if attribute is not None:
            return attribute(rank, owner)
        if self.has_method(kind, name):
            return Method(owner, name)
        if kind == "NoneType":
            raise unfit(owner, kind="AttributeError")
        return Method(owner, name) if kind else rank.symbol("attribute", owner, name)

    def of_symbol(self, rank: Rank, owner: Symbol, name: str) -> Value:
        """An attribute of an unknown value."""
        if owner.kind:
            attribute = self._functions.get(f"{owner.kind}.{name}:attribute")
            if attribute is not None:
                return attribute(rank, owner)
        return Method(owner, name)


def _is_below(dotted: str, prefixes: set[str]) -> bool:
    parts = dotted.split(".")
    return any(".".join(parts[:count]) in prefixes for count in range(1, len(parts) + 1))
