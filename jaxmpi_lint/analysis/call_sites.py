"""Who calls a function of the project."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.calls import BoundCall
from jaxmpi_lint.analysis.communicator_uses import run_function
from jaxmpi_lint.analysis.everybody import Everybody

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.function import FunctionModel
    from jaxmpi_lint.analysis.project import Project


@dataclass(frozen=True, slots=True)
class CallSite:
    """One call, the function that makes it, and the block of that function."""

    caller: FunctionModel
    block: int
    bound: BoundCall


class CallSites:
    """The calls of every function of a project, as far as it is known what is called; a class is its constructor."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def of(self, function: FunctionModel) -> list[CallSite]:
        """The calls of a function."""
        return self._found.get(function.key, [])

    @cached_property
    def everybody(self) -> Everybody:
        """Which places all processes come to."""
        return Everybody(self._project, self)

    @cached_property
    def _found(self) -> dict[tuple[str, str], list[CallSite]]:
        found: dict[tuple[str, str], list[CallSite]] = {}
        for model in self._project.modules():
            for function in model.functions():
                for site in _sites_in(function):
                    called = run_function(self._project, site.bound)
                    if called is not None:
                        found.setdefault((called.path, called.qualname), []).append(site)
        return found


def _sites_in(function: FunctionModel) -> list[CallSite]:
    sites: dict[ir.Span, CallSite] = {}
    for block, bound in function.calls_by_block():
        sites.setdefault(bound.call.span, CallSite(function, block, bound))
    return list(sites.values())
