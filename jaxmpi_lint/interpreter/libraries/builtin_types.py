"""Built-in functions that look at types and attributes."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import attributes, derived, open_tables, operations
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.descriptors import Descriptor
from jaxmpi_lint.interpreter.dtypes import KINDS, SCALARS, is_scalar_of, of_scalar
from jaxmpi_lint.interpreter.exceptions import is_a
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.raised import ProgramError, Raised, kind_of
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import (
    MISSING,
    BoundMethod,
    ClassValue,
    Cut,
    FunctionValue,
    Instance,
    Library,
    Running,
    Value,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def _isinstance(rank: Rank, arguments: Arguments) -> Value:
    value, kinds = arguments.get(0), arguments.get(1)
    several = kinds if isinstance(kinds, tuple) else (kinds,)
    outcomes = [is_instance(rank, value, kind) for kind in several]
    if any(outcome is True for outcome in outcomes):
        return True
    if all(outcome is False for outcome in outcomes):
        return False
    # A type is the same on all ranks even where the value is not, so that the place decides.
    return rank.symbol("isinstance", rank.frames[-1].path, rank.state["span"], kinds, kind="bool")


def _of_code(rank: Rank, arguments: Arguments) -> Value:
    """A function that a program makes from code, as workers do with what they receive: it may communicate."""
    raise Cut("a function made from code")


def is_instance(rank: Rank, value: Value, kind: Value) -> bool | None:
    """Whether a value is of a class, by the library's model where it has one; None if it is not known."""
    handler = rank.models.function(f"{kind.dotted}:isinstance") if isinstance(kind, Library) else None
    if handler is None:
        return _is_instance(value, kind)
    answer: bool | None = handler(rank, value)
    return answer


def _is_instance(value: Value, kind: Value) -> bool | None:
    if isinstance(value, Raised):
        return is_a(value, kind)
    if isinstance(kind, ClassValue):
        if isinstance(value, Instance):
            return kind in value.cls.order()
        return None if isinstance(value, Symbol) else False
    if derived.has_base(value) and isinstance(kind, Library):
        return derived.is_derived_from(value, kind.dotted)
    if isinstance(value, Instance) and isinstance(kind, Library) and kind.dotted in _PLAIN_TYPES:
        return None if value.cls.is_data or value.cls.has_metaclass else False
    if isinstance(kind, Library) and kind.dotted in _NONE_TYPE and not isinstance(value, Symbol):
        return value is None
    if isinstance(value, SCALARS) and isinstance(kind, Library):
        return is_scalar_of(value, kind.dotted)
    if value is None and isinstance(kind, Library) and not kind.dotted.startswith(_OF_NONE):
        return False
    if isinstance(kind, Library) and kind.dotted.startswith("builtins.") and operations.is_plain(value, 1):
        known = getattr(builtins, kind.dotted.partition(".")[2], None)
        return isinstance(value, known) if isinstance(known, type) else None
    if isinstance(kind, Library) and kind.dotted == "numpy.ndarray":
        return isinstance(value, Array) if not isinstance(value, Symbol) else None
    if isinstance(kind, Library) and isinstance(value, (list, tuple, dict, set)):
        known = derived.class_of(kind.dotted)
        return isinstance(value, known) if known is not None else None
    if isinstance(kind, Library) and isinstance(value, Array) and kind.dotted in _CONTAINERS:
        return False
    return None


_CONTAINERS = frozenset(f"builtins.{name}" for name in "dict list set str tuple".split())
_PLAIN_TYPES = frozenset(f"builtins.{name}" for name in "bool bytes dict float int list set str tuple".split())
_NONE_TYPE = ("builtins.NoneType", "types.NoneType")
_OF_NONE = ("builtins.", "types.NoneType", "typing.", "collections.abc.Hashable", "unknown")
"""Classes of which None may be an instance; the built-in ones are asked."""


def _getattr(rank: Rank, arguments: Arguments) -> Running:
    owner, name = arguments.get(0), arguments.get(1)
    if not isinstance(name, str):
        if isinstance(owner, Library) and owner.dotted == "logging":
            return rank.symbol("log level", name, kind="int")  # what programs look up there by a name of a setting
        return rank.symbol("getattr", owner, name, is_guess=True)
    node = ir.Constant(rank.state["span"], name)
    try:
        frame = rank.frames[-1]
        found = yield from rank.settle(
            frame,
            lambda: (
                frame.implicit.pop(id(node)) if id(node) in frame.implicit else attributes.read(rank, node, owner, name)
            ),
        )
    except ProgramError as error:
        if arguments.has(2) and error.value.name == "AttributeError":
            return arguments.get(2)
        raise
    return found


_OF_CONTAINERS = frozenset({"__len__", "__iter__", "__getitem__", "__contains__"})
"""Attributes that containers have and numbers do not."""

_NUMBERS = frozenset({"int", "float", "bool"})


def _is_number(value: Value) -> bool:
    return value.kind in _NUMBERS if isinstance(value, Symbol) else isinstance(value, (int, float))


def _hasattr(rank: Rank, arguments: Arguments) -> Value:
    owner, name = arguments.get(0), arguments.get(1)
    is_plain = isinstance(owner, Instance) and not open_tables.is_open(owner.fields)
    if is_plain and isinstance(name, str) and not owner.cls.library_bases():
        return name in owner.fields or owner.cls.find(name) is not MISSING
    if owner is None or (name in _OF_CONTAINERS and _is_number(owner)):
        return False
    return rank.symbol("hasattr", owner, name, kind="bool")


def _setattr(rank: Rank, arguments: Arguments) -> Running:
    owner, name, value = arguments.get(0), arguments.get(1), arguments.get(2)
    called = attributes.setter(owner, name, value) if isinstance(name, str) else None
    if called is not None:
        yield from rank.call(*called, {}, rank.state["span"])
    elif isinstance(name, str):
        attributes.write(rank, owner, name, value)
    elif isinstance(getattr(owner, "fields", None), dict):
        _forget_fields(rank, owner.fields, rank.symbol("set", name, value))
    return None


_DATA = (int, float, complex, str, bytes, list, tuple, dict, set, Array, Symbol, type(None))


def _forget_fields(rank: Rank, fields: dict[str, Value], source: Symbol) -> None:
    """Any field may have been replaced; that objects are is unlikely."""
    kept = {name: held for name, held in fields.items() if not isinstance(held, _DATA)}
    open_tables.update(rank, fields, source)
    fields.update(kept)


def _delattr(rank: Rank, arguments: Arguments) -> Value:
    owner, name = arguments.get(0), arguments.get(1)
    fields = getattr(owner, "fields", {})
    if attributes.special(owner, "__delattr__") is not MISSING or name not in fields:
        raise Cut("an attribute whose deletion calls something")
    del fields[name]


def _callable(rank: Rank, arguments: Arguments) -> Value:
    value = arguments.get(0)
    if isinstance(value, (FunctionValue, BoundMethod, ClassValue)):
        return True
    if value is None or isinstance(value, (int, str, float, list, dict, tuple)):
        return False
    return rank.symbol("callable", value, kind="bool")


def _type(rank: Rank, arguments: Arguments) -> Value:
    value = arguments.get(0)
    if isinstance(value, Instance):
        return value.cls
    if isinstance(value, Raised):
        return kind_of(value)
    if isinstance(value, SCALARS):
        return Library(f"numpy.{value.dtype}")
    if operations.is_plain(value, 1) or isinstance(value, (list, tuple, dict, set)):
        plain = next((kind for kind in (bool, int, list, dict) if isinstance(value, kind)), type(value))
        return Library(f"builtins.{plain.__name__}")
    return rank.symbol("type", value)


def _is_scalar(rank: Rank, arguments: Arguments) -> Value:
    """`numpy.isscalar`: a property of the type, which is the same on all ranks as that of `isinstance`."""
    value = arguments.get(0, "element")
    if isinstance(value, Symbol):
        is_number = value.kind in KINDS or value.kind in ("str", "bytes")
        return True if is_number else rank.symbol("isscalar", rank.frames[-1].path, rank.state["span"], kind="bool")
    return isinstance(value, (int, float, complex, str, bytes))


def _is_complex(rank: Rank, arguments: Arguments) -> Value:
    """`numpy.iscomplexobj`: a property of the type too."""
    value = arguments.get(0, "x")
    dtype = value.dtype if isinstance(value, Array) else of_scalar(value)
    if dtype:
        return dtype.startswith("complex")
    return rank.symbol("iscomplexobj", rank.frames[-1].path, rank.state["span"], kind="bool")


def _property(rank: Rank, arguments: Arguments) -> Value:
    return Descriptor("property", arguments.get(0, "fget"), arguments.get(1, "fset"), arguments.get(2, "fdel"))


FUNCTIONS: dict[str, Handler] = {
    "builtins.property": _property,
    "builtins.isinstance": _isinstance,
    "types.FunctionType": _of_code,
    "builtins.getattr": _getattr,
    "builtins.hasattr": _hasattr,
    "builtins.setattr": _setattr,
    "builtins.delattr": _delattr,
    "builtins.callable": _callable,
    "builtins.type": _type,
    "numpy.isscalar": _is_scalar,
    "numpy.iscomplexobj": _is_complex,
}
