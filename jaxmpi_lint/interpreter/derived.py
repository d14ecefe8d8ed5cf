"""Objects of classes that a program derives from containers, managers and communicators of libraries.

Each holds an object of the base.
"""

from __future__ import annotations

import builtins
import collections.abc
from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.communicators import Communicator
from jaxmpi_lint.interpreter.derived_names import SPECIAL
from jaxmpi_lint.interpreter.values import Instance, Library, Running, Value
from jaxmpi_lint.library.mpi.mpi4py_names import MEMBERS
from jaxmpi_lint.library.names import COMMUNICATOR_CLASSES

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_BASE = "*base"
"""The field of an object that holds that of the base."""

_MADE_BY = {"collections.UserDict": "builtins.dict", "collections.UserList": "builtins.list"}
_COMMUNICATORS = frozenset(MEMBERS + name for name in COMMUNICATOR_CLASSES)


def begin(rank: Rank, made: Instance, args: tuple[Value, ...]) -> Running:
    """Give a new object the one of its base: empty, or the communicator that it is made of."""
    for base in made.cls.library_bases():
        if isinstance(base, Library) and base.dotted in SPECIAL:
            yield from fill(rank, made, (), {})
            return None
        if isinstance(base, Library) and base.dotted in _COMMUNICATORS and args and isinstance(args[0], Communicator):
            made.fields[_BASE] = args[0]


def fill(rank: Rank, made: Instance, args: tuple[Value, ...], keywords: dict[str, Value]) -> Running:
    """Make the object of the base from the arguments of its class."""
    bases = (base.dotted for base in made.cls.library_bases() if isinstance(base, Library))
    base = next((base for base in bases if base in SPECIAL), "")
    if not base:
        return
    maker = Library(_MADE_BY.get(base, base))
    made.fields[_BASE] = yield from rank.call(maker, args, keywords, rank.state["span"])


def has_base(value: Value) -> bool:
    """Whether a value is such an object."""
    return isinstance(value, Instance) and _BASE in value.fields


def base_of(value: Value) -> Value:
    """The object of the base, any other value itself."""
    return value.fields[_BASE] if has_base(value) else value


def with_copied_base(value: Instance, copied: Callable[[Value], Value]) -> Instance:
    """A shallow copy of an object that has copied its fields: its items are not shared."""
    if has_base(value) and not isinstance(base_of(value), Communicator):
        value.fields[_BASE] = copied(base_of(value))
    return value


def is_derived_from(value: Instance, dotted: str) -> bool | None:
    """Whether a class of the standard library is one of the bases of an object; None if it is not known."""
    wanted = class_of(dotted)
    bases = [base.dotted for base in value.cls.library_bases() if isinstance(base, Library)]
    if wanted is None:
        return True if dotted in bases else None
    return any(base is not None and issubclass(base, wanted) for base in map(class_of, bases))


def class_of(dotted: str) -> type | None:
    """A built-in class, or one of `collections`; None for others."""
    module, _, name = dotted.rpartition(".")
    found = getattr(_MODULES.get(module), name, None)
    return found if isinstance(found, type) else None


_MODULES = {"builtins": builtins, "collections": collections, "collections.abc": collections.abc}
