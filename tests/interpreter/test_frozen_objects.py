"""Keys of objects are made of their fields, never of their texts: those of objects that refer to each other explode."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from jaxmpi_lint.interpreter.symbols import freeze
from jaxmpi_lint.interpreter.values import Instance


class _Unprintable:
    def __repr__(self) -> str:
        raise AssertionError("a field was printed")

    def freeze(self, _depth: int) -> object:
        return "unprintable"


def test_fields_are_sorted_without_printing_them() -> None:
    cls: Any = SimpleNamespace(ir=SimpleNamespace(qualname="Node"))
    node = Instance(cls, 0, {"right": _Unprintable(), 3: _Unprintable(), "left": 1})  # type: ignore[dict-item]
    assert freeze(node) == ("object", "Node", (3, "unprintable"), ("left", ("int", 1)), ("right", "unprintable"))
