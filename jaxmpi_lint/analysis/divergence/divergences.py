"""Divergences in the functions of a project, without those that a command loop of one role explains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.divergence.divergence import Divergence
from jaxmpi_lint.analysis.divergence.exemptions import OF_THE_PROGRAM
from jaxmpi_lint.analysis.divergence.finder import FunctionDivergences
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.trace import Evidence, Ruling, Stage, ruling

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.candidates import Candidate
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module, Program
    from jaxmpi_lint.analysis.lattice.trace import Trace


class Divergences:
    """The divergences of one project, computed once for each function."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._known: dict[tuple[str, str], list[Divergence]] = {}
        self._of_modules: dict[str, tuple[Divergence, ...]] = {}

    def of_module(self, module: Module) -> tuple[Divergence, ...]:
        """The divergences of the functions of a file."""
        path = module.ir.path
        if path not in self._of_modules:
            self._of_modules[path] = tuple(one for function in module.functions() for one in self.of(function))
        return self._of_modules[path]

    def of(self, function: Function) -> list[Divergence]:
        """The divergences of a function."""
        if function.key not in self._known:
            self._known[function.key] = list(self._all(function))
        return self._known[function.key]

    def traced(self, function: Function, trace: Trace) -> None:
        """Record the stages of the branches of a function, and of a function that its decorator substitutes."""
        for _ in self._all(function, trace):
            pass
        wrapper = self._project.decorators.wrapper(function)
        if wrapper is not None:
            for candidate in FunctionDivergences(wrapper, trace).found():
                if self._is_of(function, candidate.divergence):
                    trace.record(candidate.subject, [_reported("JM105", candidate, ", in the decorated function")])

    def _all(self, function: Function, trace: Trace | None = None) -> Iterator[Divergence]:
        """The divergences of any execution of the function, then those caused by the arguments of a call."""
        seen: set[ir.Span] = set()
        for run in (function, *self._project.contexts.of(function)):
            for candidate in FunctionDivergences(run, trace).found():
                divergence = candidate.divergence
                repeated = divergence.event.span in seen
                seen.add(divergence.event.span)
                ruled = ruling(OF_THE_PROGRAM, candidate) if not repeated else None
                if trace is not None:
                    trace.record(candidate.subject, _last_stages(candidate, ruled))
                if ruled is not None and not ruled.is_silent:
                    yield divergence

    def decorated(self, function: Function) -> list[Divergence]:
        """Where a decorator lets only some processes execute its function, although the function communicates."""
        wrapper = self._project.decorators.wrapper(function)
        if wrapper is None:
            return []
        return [found for found in FunctionDivergences(wrapper).find() if self._is_of(function, found)]

    @staticmethod
    def _is_of(function: Function, divergence: Divergence) -> bool:
        """Whether the event of a wrapper lies in the wrapped function."""
        return any(
            place.module is function.module and _inside(place.span, function) for place in divergence.event.trail
        )


def _last_stages(candidate: Candidate, ruled: Ruling[Candidate] | None) -> tuple[Stage, ...]:
    if ruled is None:
        return (Stage("result", "silent: a different branch is reported for the same call already"),)
    if ruled.exemption is not None:
        return ruled.stages()
    return (_reported(candidate.divergence.cause, candidate),)


def _reported(code: str, candidate: Candidate, where: str = "") -> Stage:
    divergence = candidate.divergence
    place = Place(divergence.function.module, divergence.event.span)
    seen = Evidence(f"only one side reaches {divergence.event.title}{where}", place)
    return Stage("result", "reported", (seen,), code=code)


def _inside(span: ir.Span, function: Function) -> bool:
    return function.ir.span[0] <= span[0] < function.ir.span[1]
