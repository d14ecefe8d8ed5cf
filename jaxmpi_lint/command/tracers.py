"""The engines that ``--trace`` can query, by the codes of their rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxmpi_lint.rules import registry
from jaxmpi_lint.rules.divergence_rule import DivergenceRule

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.trace import Exemption, Tracer
    from jaxmpi_lint.rules.base import Rule


def tracer_of(rule: type[Rule]) -> Tracer | None:
    """The engine whose stages explain a rule; None if it has no trace."""
    if issubclass(rule, DivergenceRule):
        from jaxmpi_lint.analysis.divergence.tracer import DivergenceTracer

        return DivergenceTracer()
    if rule.code == "JM103":
        from jaxmpi_lint.checks.exits.exit_finder import ExitTracer

        return ExitTracer()
    if rule.code == "JM117":
        from jaxmpi_lint.checks.collectives.root_finder import RootTracer

        return RootTracer()
    if rule.code == "JM412":
        from jaxmpi_lint.checks.mpi4py.world_finder import WorldTracer

        return WorldTracer()
    return None


def tracers() -> list[tuple[str, Tracer]]:
    """Every engine once, with the codes of its rules."""
    codes: dict[type[Tracer], tuple[list[str], Tracer]] = {}
    for rule in registry.load():
        tracer = tracer_of(rule)
        if tracer is not None:
            codes.setdefault(type(tracer), ([], tracer))[0].append(rule.code)
    return [(" ".join(served), tracer) for served, tracer in codes.values()]


def exemptions_of(rule: type[Rule]) -> list[Exemption[Any]]:
    """The exemptions that apply to a rule, in order."""
    tracer = tracer_of(rule)
    return [
        exemption
        for exemption in (tracer.exemptions if tracer is not None else ())
        if not exemption.codes or rule.code in exemption.codes
    ]
