"""Who calls a function of the project."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.calls import BoundCall
from jaxmpi_lint.analysis.values import ClassReference, Compiled, FunctionReference

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
    def _found(self) -> dict[tuple[str, str], list[CallSite]]:
        found: dict[tuple[str, str], list[CallSite]] = {}
        for model in self._project.modules():
            for function in model.functions():
                for site in _sites_in(function):
                    key = self._called(site.bound)
                    if key is not None:
                        found.setdefault(key, []).append(site)
        return found

    def _called(self, bound: BoundCall) -> tuple[str, str] | None:
        match bound.callee.entity:
            case FunctionReference(path, qualname) | Compiled(_, FunctionReference(path, qualname)):
                return path, qualname
            case ClassReference() as reference:
                model = self._project.class_model(reference)
                constructor = model.method("__init__") if model is not None else None
                return (constructor.path, constructor.qualname) if constructor is not None else None
        return None


def _sites_in(function: FunctionModel) -> list[CallSite]:
    sites: dict[ir.Span, CallSite] = {}
    for block in function.ir.blocks:
        for step in block.steps:
            if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
                bound = function.bound(step.expression)
                if bound is not None:
                    sites.setdefault(bound.call.span, CallSite(function, block.index, bound))
    return list(sites.values())
