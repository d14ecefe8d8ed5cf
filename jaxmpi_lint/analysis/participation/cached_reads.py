"""Reads of cached properties and of fields that are filled once: the first one communicates, the later ones do not."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.limits import SPMD_CALLERS
from jaxmpi_lint.analysis.model.call_graph import CallSite, CallSites
from jaxmpi_lint.library.python.names import CACHED_PROPERTY_DECORATORS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


class CachedReads:
    """The reads of the cached properties of a project."""

    def __init__(self, project: Program) -> None:
        self._sites = project.get(CallSites)
        self._project = project

    def by_others(self, places: Collection[Place]) -> CallSite | None:
        """Another read of the cached property that is read at one of the places, which no differing test guards.

        A field is filled for each object: only another read in the same file counts.
        """
        for place in places:
            function = self._read_at.get((place.module.path, place.span))
            for site in self._sites.of(function) if function is not None else ():
                is_near = site.caller.module is place.module or (function is not None and _is_cached(function.ir))
                is_other = Place(site.caller.module, site.span) not in places
                if is_near and is_other and self._may_be_by_all(site):
                    return site
        return None

    def _may_be_by_all(self, site: CallSite, depth: int = 0) -> bool:
        """Whether no differing test guards a read, nor all calls of its function."""
        if any(guard.test.content.level.diverges for guard in guards(site.caller, site.block)):
            return False
        callers = self._sites.of(site.caller)
        return depth >= SPMD_CALLERS or not callers or any(self._may_be_by_all(one, depth + 1) for one in callers)

    @cached_property
    def _read_at(self) -> dict[tuple[str, ir.Span], Function]:
        """The cached properties that may communicate, by the places where they are read."""
        found: dict[tuple[str, ir.Span], Function] = {}
        for function in self._communicating():
            for site in self._sites.of(function):
                found[site.caller.module.path, site.span] = function
        return found

    def _communicating(self) -> list[Function]:
        may_communicate = self._project.summaries.function_may_communicate
        functions = (function for model in self._project.modules() for function in model.functions())
        return [one for one in functions if may_communicate(one.key) and (_is_cached(one.ir) or _fills_once(one))]


def _is_cached(function: ir.Function) -> bool:
    return any(ir.dotted(decorator) in CACHED_PROPERTY_DECORATORS for decorator in function.decorators)


def _fills_once(function: Function) -> bool:
    """``if self._hosts is None: self._hosts = ...``, and then ``return self._hosts``."""
    ends = (block.terminator for block in function.ir.blocks)
    returned = {ir.dotted(end.value) for end in ends if isinstance(end, ir.Return) and end.value is not None}
    fields = {name for name in returned if name and name.startswith(f"{function.self_name}.")}
    return any(
        branch.kind == "if"
        and any(ir.dotted(node) in fields for node in ir.walk(branch.test))
        and any(_is_assigned_in(function, name, branch.extent) for name in fields)
        for _, branch, _ in function.branches()
    )


def _is_assigned_in(function: Function, name: str, extent: ir.Span) -> bool:
    return any(extent[0] <= span[0] < extent[1] for span in function.assignments.get(name, ()))
