"""Functions kept in tables: a call of an element may run any of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module, Program


_DISPLAY = re.compile(r"[\[{]([^()\[\]{}]*)[\]}]")
_WORD = re.compile(r"\w+")


class StoredFunctions:
    """The functions and methods that displays of each file name, as in ``{"start": self.start}``."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._known: dict[str, tuple[Function, ...]] = {}

    def of(self, path: str) -> tuple[Function, ...]:
        """Those of a file, as far as the file defines them."""
        if path not in self._known:
            model = self._project.module(path)
            self._known[path] = tuple(_stored(model)) if model is not None else ()
        return self._known[path]


def _stored(model: Module) -> Iterator[Function]:
    if not _may_store(model):
        return
    names = frozenset(
        name
        for function in model.ir.functions.values()
        for step in function.steps()
        for expression in expressions_read(step)
        for name in _named_in_displays(expression)
    )
    for qualname, function in model.ir.functions.items():
        if function.name in names and function.kind in ("function", "method"):
            yield model.function(qualname)


def _may_store(model: Module) -> bool:
    """Whether a name of a function stands in brackets or braces; to look at all steps would take longer."""
    names = {function.name for function in model.ir.functions.values()}
    return any(not names.isdisjoint(_WORD.findall(inside)) for inside in _DISPLAY.findall(model.ir.text))


def _named_in_displays(expression: ir.Expression) -> Iterator[str]:
    """The last parts of names that are elements of lists, tuples and dictionaries."""
    for node in ir.walk(expression):
        match node:
            case ir.Collection(elements=elements) | ir.Dictionary(values=elements):
                for element in elements:
                    if isinstance(element, (ir.Name, ir.Attribute)):
                        yield element.id if isinstance(element, ir.Name) else element.attr


def is_element(called: ir.Expression) -> bool:
    """Whether what is called may come out of a table: an element, the result of a look-up, or a name for one."""
    match called:
        case ir.Call(func=ir.Attribute(attr="get")):
            return True
        case ir.Subscript() | ir.Name():
            return True
    return False
