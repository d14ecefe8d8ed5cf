"""What the rules about parting processes have in common: each speaks of the divergences that have its code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from jaxmpi_lint.analysis.divergence.divergences import Divergences
from jaxmpi_lint.checks import divergence_story, hoist_call
from jaxmpi_lint.rules.base import Finding, Rule

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.divergence import Divergence
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module


class DivergenceRule(Rule):
    """One finding for each divergence of the rule's own kind."""

    remedy: ClassVar[str]
    hoists: ClassVar[bool] = False

    def message(self, divergence: Divergence) -> str:
        """What is wrong, in one line."""
        return f"{divergence_story.who(divergence)} this {divergence.event.title}"

    def check_module(self, module: Module) -> Iterator[Finding]:
        """Findings of the functions in which processes part."""
        for function in module.functions():
            yield from self.check_function(function)

    def check_function(self, function: Function) -> Iterator[Finding]:
        """The divergences of a function that have this rule's code."""
        for divergence in function.project.get(Divergences).of(function):
            if divergence.code == self.code:
                yield self.finding(
                    function.module,
                    divergence.event.span,
                    self.message(divergence),
                    steps=divergence_story.steps(divergence),
                    remedy=self.remedy,
                    repair=hoist_call.hoist(divergence) if self.hoists else None,
                    confidence=divergence_story.confidence(divergence),
                    severity=divergence_story.severity(divergence, self.severity),
                )
