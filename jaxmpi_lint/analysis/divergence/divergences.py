"""Where processes diverge in the functions of a project; what a loop of one role explains is left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.divergence.divergence import Divergence
from jaxmpi_lint.analysis.divergence.finder import FunctionDivergences
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.participation.command_loops import RoleLoops

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module, Program


class Divergences:
    """The divergences of one project, found once for each function."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._known: dict[tuple[str, str], list[Divergence]] = {}

    def of_module(self, module: Module) -> Iterator[tuple[Function, Divergence]]:
        """The divergences of the functions of a file."""
        for function in module.functions():
            for divergence in self.of(function):
                yield function, divergence

    def of(self, function: Function) -> list[Divergence]:
        """Where processes diverge in a function."""
        if function.key not in self._known:
            self._known[function.key] = [
                divergence
                for divergence in self._all(function)
                if not divergence.in_role_loop and not self._awaited(function, divergence.event)
            ]
        return self._known[function.key]

    def _all(self, function: Function) -> Iterator[Divergence]:
        """Those of any run of the function, then those that the arguments of a call bring about."""
        seen: set[ir.Span] = set()
        for run in (function, *self._project.contexts.of(function)):
            for divergence in FunctionDivergences(run).find():
                if divergence.event.span not in seen:
                    seen.add(divergence.event.span)
                    yield divergence

    def decorated(self, function: Function) -> list[Divergence]:
        """Where the decorator of a function lets only some processes run it, although it communicates."""
        wrapper = self._project.decorators.wrapper(function)
        if wrapper is None:
            return []
        return [
            divergence
            for divergence in FunctionDivergences(wrapper).find()
            if any(
                place.module is function.module and _inside(place.span, function) for place in divergence.event.trail
            )
        ]

    def _awaited(self, function: Function, event: Event) -> bool:
        """Whether a loop of one role waits for such a call, in the file of one of the functions that lead to it."""
        paths = {function.module.path, *(place.module.path for place in event.trail)}
        loops = self._project.get(RoleLoops)
        return any(event.label[0] in loops.operations(path) for path in paths)


def _inside(span: ir.Span, function: Function) -> bool:
    return function.ir.span[0] <= span[0] < function.ir.span[1]
