"""Callers of the functions of a project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.interfaces import Part
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


@dataclass(frozen=True, slots=True)
class CallSite:
    """One call, the function that makes it, and the block of that function."""

    caller: Function
    block: int
    bound: BoundCall

    @property
    def span(self) -> ir.Span:
        """The source position of the call."""
        return self.bound.call.span


class CallSites:
    """The calls of every function of a project whose callee is resolved; a call of a class calls its constructor."""

    def __init__(self, project: Program) -> None:
        self._project = project

    def of(self, function: Function) -> list[CallSite]:
        """The calls of a function."""
        return self._written.get(function.key, [])

    def copies(self, function: Function) -> list[CallSite]:
        """The calls of a function, with each copy of a call in a ``finally``: their contexts may differ."""
        return self._found.get(function.key, [])

    @cached_property
    def _written(self) -> dict[tuple[str, str], list[CallSite]]:
        """The first copy of each call."""
        return {key: list(_first_copies(sites)) for key, sites in self._found.items()}

    @cached_property
    def _found(self) -> dict[tuple[str, str], list[CallSite]]:
        found: dict[tuple[str, str], list[CallSite]] = {}
        for model in self._project.modules():
            for function in model.functions():
                for block, bound, called in function.calls_of_functions:
                    found.setdefault((called.path, called.qualname), []).append(CallSite(function, block, bound))
                for block, implicit in self._project.summaries.placed_implicit_calls(function):
                    entity = implicit.bound.callee.entity
                    if isinstance(entity, FunctionReference) and implicit.part is Part.WHOLE:
                        found.setdefault(entity.key, []).append(CallSite(function, block, implicit.bound))
        return found


def _first_copies(sites: list[CallSite]) -> Iterator[CallSite]:
    seen: set[tuple[tuple[str, str], ir.Span]] = set()
    for site in sites:
        place = site.caller.key, site.span
        if place not in seen:
            seen.add(place)
            yield site
