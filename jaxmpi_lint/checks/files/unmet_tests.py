"""Tests that no visible call of a function meets, such as that of a parameter which all calls leave at None."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.passed_arguments import argument_of, is_parameter
from jaxmpi_lint.analysis.conditions.constant_propagation import Constants, Given, arguments_of
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.lattice.limits import ROLE_CALLERS
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.model.call_sites import CallSites as NamedCalls
from jaxmpi_lint.checks.files.paths import Frame

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.conditions.guards import Guard
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


class UnmetTests:
    """Answers for one project."""

    def __init__(self, project: Program) -> None:
        self._sites = project.get(CallSites)
        self._by_name = project.get(NamedCalls)

    def has(self, function: Function, guard: Guard, frame: Frame | None) -> bool:
        """Whether each call that runs a function gives the test of a guard the other outcome, by constants."""
        if guard.branch.kind != "if":
            return False
        names = {node.id for node in ir.walk(guard.branch.test) if isinstance(node, ir.Name)}
        if not any(is_parameter(function, name) for name in names):
            return False
        outcomes = (Constants(function, given).outcome(guard.branch.test) for given in self._given(function, frame, 0))
        return all(outcome is (not guard.truth) for outcome in outcomes)

    def _given(self, function: Function, frame: Frame | None, depth: int) -> Iterator[Given]:
        """The constants that calls pass to a function; none for a call that is not in sight."""
        sites = [frame] if frame is not None else self._frames(function)
        if not sites or depth > ROLE_CALLERS:
            yield {}
            return
        for site in sites:
            bound = site.caller.bound(site.call)
            for outer in self._given(site.caller, site.outer, depth + 1):
                passed = arguments_of(site.caller, bound, function) if bound is not None else {}
                yield Constants(site.caller, outer).passed(passed)

    def _frames(self, function: Function) -> list[Frame]:
        """All calls of a function; nothing where a call that may be of the function passes arguments."""
        if any(self._may_pass(function, *call) for call in self._by_name.by_name(function)):
            return []
        return [Frame(site.caller, site.bound.call) for site in self._sites.of(function)]

    def _may_pass(self, function: Function, caller: Function, call: ir.Call) -> bool:
        bound = caller.bound(call)
        if bound is not None and isinstance(bound.callee.entity, FunctionReference):
            return False
        optional = [one.name for one in function.ir.parameters if one.default is not None]
        return call.has_star or any(argument_of(function, name, call) is not None for name in optional)
