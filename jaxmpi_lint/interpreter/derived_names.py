"""Special methods that classes of the project inherit from containers and managers of the standard library."""

from __future__ import annotations

_SIZED = frozenset({"__init__", "__len__", "__iter__", "__contains__", "__eq__"})
_ITEMS = _SIZED | {"__getitem__", "__setitem__", "__delitem__"}
_MAPPING = frozenset({"__contains__", "get", "keys", "values", "items"})
_SEQUENCE = frozenset({"__contains__", "index", "count"})

SPECIAL: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        (
            "builtins.dict",
            "collections.OrderedDict",
            "collections.UserDict",
            "collections.defaultdict",
            "collections.Counter",
        ),
        _ITEMS | {"__or__", "__ior__"},
    ),
    **dict.fromkeys(
        ("builtins.list", "collections.UserList", "collections.deque"), _ITEMS | {"__add__", "__mul__", "__iadd__"}
    ),
    "builtins.set": _SIZED | {"__or__", "__and__", "__sub__", "__xor__", "__ior__"},
    "contextlib.ExitStack": frozenset({"__init__", "__enter__", "__exit__", "close"}),
}
"""By the base: what an object does by the container that it is."""

MIXED_IN: dict[str, frozenset[str]] = {
    "collections.abc.Mapping": _MAPPING,
    "collections.abc.MutableMapping": _MAPPING | {"pop", "update", "setdefault", "clear"},
    "collections.abc.Sequence": _SEQUENCE,
    "collections.abc.MutableSequence": _SEQUENCE | {"append", "extend", "__iadd__"},
    "collections.abc.Iterator": frozenset({"__iter__"}),
    "contextlib.AbstractContextManager": frozenset({"__enter__"}),
    "typing.NamedTuple": frozenset({"_asdict", "_replace"}),
    "pydantic.BaseModel": frozenset({"dict", "model_dump", "copy", "model_copy"}),
}
MIXED_IN.update({name.replace("collections.abc", "typing"): found for name, found in MIXED_IN.items()})
"""By the base: methods that call those of the class."""

RECORD_BASES = frozenset({"typing.NamedTuple", "pydantic.BaseModel"})
"""Bases that make an ``__init__`` of the annotated fields."""

RECORD_DECORATORS = (
    "dataclasses.dataclass",
    "pydantic.dataclasses.dataclass",
    *(f"attr.{name}" for name in ("s", "attrs", "dataclass", "define", "frozen", "mutable")),
    *(f"attrs.{name}" for name in ("define", "frozen", "mutable")),
)
"""Decorators that do."""
