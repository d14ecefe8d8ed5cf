"""Methods that run without being called in the text, and may communicate: properties, special methods, managers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.analysis.uniformity.implicit_calls import ImplicitCall, ImplicitCalls, is_property
from jaxmpi_lint.library.python.special_methods import CONTEXT_MANAGER, ENTERS, MARKS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Key, Program


@dataclass(frozen=True, slots=True)
class Names:
    """The names of such methods, and for each the parts of a text of which one is in every function that runs it."""

    names: frozenset[str] = frozenset()
    marks: tuple[str, ...] = ()

    @staticmethod
    def of(names: frozenset[str]) -> Names:
        """The names with their marks."""
        marks = (mark for name in sorted(names) for mark in MARKS.get(name, (f".{name}",)))
        return Names(names, tuple(dict.fromkeys(marks)))

    def may_occur(self, function: Function) -> bool:
        """A cheap test whether a function may run one of them."""
        if not self.names:
            return False
        start, end = function.ir.span
        text = function.module.text
        return any(text.find(mark, start, end) >= 0 for mark in self.marks)


class ImplicitMethods:
    """The functions of a project that run without being called in the text."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._calls: dict[Key, tuple[tuple[int, ImplicitCall], ...]] = {}
        self.names = Names()

    def communicating(self) -> frozenset[str]:
        """The names of those that may communicate, with what is known now."""
        may_communicate = self._project.summaries.function_may_communicate
        return frozenset(name for name, key in self._all() if may_communicate(key))

    def take(self, names: frozenset[str]) -> None:
        """Look for the methods of these names from now on."""
        self.names = Names.of(names)
        self._calls.clear()

    def of(self, function: Function) -> ImplicitCalls | None:
        """The implicit calls of a function; None if it has none."""
        return ImplicitCalls(function, self.names.names) if self.names.may_occur(function) else None

    def calls(self, function: Function) -> tuple[tuple[int, ImplicitCall], ...]:
        """The implicit calls of a function, with their blocks."""
        if not self.names.names:
            return ()
        if function.key not in self._calls:
            self._calls[function.key] = tuple(self._found(function))
        return self._calls[function.key]

    def _found(self, function: Function) -> Iterator[tuple[int, ImplicitCall]]:
        implicit = self.of(function)
        if implicit is None:
            return
        for block, step, env in function.steps(implicit.may_be_in):
            for call in implicit.of_step(step, env):
                yield block.index, call
        for block in function.ir.blocks:
            if function.flow.entries[block.index] is not None and implicit.may_be_in(block.terminator):
                env = function.flow.environment_before(block.index, None)
                for call in implicit.of_terminator(block.terminator, env):
                    yield block.index, call

    def _all(self) -> Iterator[tuple[str, Key]]:
        for model in self._project.modules():
            functions = model.ir.functions
            for definition in model.ir.classes.values():
                for name, qualname in definition.methods.items():
                    if name in MARKS or is_property(functions[qualname]):
                        yield name, (model.ir.path, qualname)
            for function in functions.values():
                if function.is_generator and function.decorators:
                    named = (model.named(decorator).entity for decorator in function.decorators)
                    if any(entity == Named(CONTEXT_MANAGER) for entity in named):
                        yield ENTERS, (model.ir.path, function.qualname)
