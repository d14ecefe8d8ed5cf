"""Who calls a function of the project."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


@dataclass(frozen=True, slots=True)
class CallSite:
    """One call, the function that makes it, and the block of that function."""

    caller: Function
    block: int
    bound: BoundCall


class CallSites:
    """The calls of every function of a project, as far as it is known what is called; a class is its constructor."""

    def __init__(self, project: Program) -> None:
        self._project = project

    def of(self, function: Function) -> list[CallSite]:
        """The calls of a function."""
        return self._found.get(function.key, [])

    @cached_property
    def _found(self) -> dict[tuple[str, str], list[CallSite]]:
        found: dict[tuple[str, str], list[CallSite]] = {}
        for model in self._project.modules():
            for function in model.functions():
                seen: set[ir.Span] = set()
                for block, bound, called in function.calls_of_functions:
                    if bound.call.span not in seen:
                        seen.add(bound.call.span)
                        found.setdefault((called.path, called.qualname), []).append(CallSite(function, block, bound))
        return found
