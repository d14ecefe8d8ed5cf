"""Functions kept in tables: a call of an element may run any of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_DISPLAY = re.compile(r"[\[{]([^()\[\]{}]*)[\]}]")
_WORD = re.compile(r"\w+")


class StoredFunctions:
    """The functions and methods of each file that displays in it may name, as in ``{"start": self.start}``.

    They are told by the text alone: a name in brackets or braces.
    """

    def __init__(self, project: Program) -> None:
        self._project = project
        self._known: dict[str, tuple[Function, ...]] = {}

    def of(self, path: str) -> tuple[Function, ...]:
        """Those of a file, as far as the file defines them."""
        if path not in self._known:
            self._known[path] = tuple(self._stored(path))
        return self._known[path]

    def _stored(self, path: str) -> list[Function]:
        model = self._project.module(path)
        if model is None:
            return []
        words = frozenset(word for inside in _DISPLAY.findall(model.ir.text) for word in _WORD.findall(inside))
        return [
            model.function(qualname)
            for qualname, function in model.ir.functions.items()
            if function.kind in ("function", "method") and function.name in words
        ]


def is_element(called: ir.Expression) -> bool:
    """Whether what is called may come out of a table: an element, the result of a look-up, or a name for one."""
    match called:
        case ir.Call(func=ir.Attribute(attr="get")):
            return True
        case ir.Subscript() | ir.Name():
            return True
    return False
