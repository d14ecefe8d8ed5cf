"""Pipeline for constant roots: the calls, the parameters that may be intended, the exemptions in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.trace import Evidence, Exemption, Ruling, Stage, Subject, ruling
from jaxmpi_lint.checks.collectives.constant_roots import candidates, constant_root
from jaxmpi_lint.checks.collectives.root_exemptions import EXEMPTIONS, RootCandidate
from jaxmpi_lint.findings.diagnostics import Confidence

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module
    from jaxmpi_lint.analysis.lattice.trace import Trace
    from jaxmpi_lint.checks.collectives.root_parameters import RootParameter


def hard_coded_roots(
    function: Function, trace: Trace | None = None
) -> Iterator[tuple[BoundCall, RootParameter, int, Confidence]]:
    """The calls whose root should be a parameter, with that parameter, the constant and the confidence."""
    roots: list[RootParameter] | None = None
    for bound in function.calls():
        constant = constant_root(function, bound)
        if constant is None:
            continue
        if roots is None:
            roots = list(candidates(function))
        if trace is not None and not roots:
            trace.record(Subject.of(function, bound.call.span), _without_parameter(constant))
        for candidate in (RootCandidate(function, bound, root, constant) for root in roots):
            ruled = ruling(EXEMPTIONS, candidate)
            if trace is not None:
                trace.record(candidate.subject, _stages(candidate, ruled))
            if not ruled.is_silent:
                yield bound, candidate.parameter, constant, Confidence(ruled.tier.value)
                break


def _without_parameter(constant: int) -> tuple[Stage, ...]:
    return (
        Stage("root", f"the constant {constant}"),
        Stage("result", "silent: the function has no parameter that could be the root"),
    )


def _stages(candidate: RootCandidate, ruled: Ruling[RootCandidate]) -> Iterator[Stage]:
    yield Stage("root", f"the constant {candidate.constant}")
    origin, module = candidate.uses.origin, candidate.parameter.function.module
    if origin is not None:
        yield Stage("parameter", "is a rank", (Evidence("here", Place(module, origin)),))
    yield from ruled.stages()
    if not ruled.is_silent:
        name = candidate.parameter.parameter.name
        place = Place(candidate.function.module, candidate.bound.call.span)
        yield Stage("result", "reported", (Evidence(f"the root is not `{name}`", place),), code="JM117")


class RootTracer:
    """Traces of JM117: the collectives with a constant root in a file."""

    exemptions: tuple[Exemption[Any], ...] = EXEMPTIONS

    def record(self, function: Function, trace: Trace) -> None:
        """Run the analysis on a function."""
        for _ in hard_coded_roots(function, trace):
            pass

    def subjects(self, module: Module, row: int) -> tuple[list[tuple[Function, ir.Span]], str]:
        """The calls on a line."""
        found = []
        for function in module.functions():
            for bound in function.calls():
                first, last = (module.ir.position(offset)[0] for offset in bound.call.span)
                if first <= row <= last and constant_root(function, bound) is not None:
                    found.append((function, bound.call.span))
        return found, f"line {row} has no collective with a constant root"
