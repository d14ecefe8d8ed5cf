"""Base class of the rules about divergence: each reports the divergences with one cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from jaxmpi_lint.analysis.divergence.divergence import Cause, Divergence
from jaxmpi_lint.analysis.divergence.divergences import Divergences
from jaxmpi_lint.checks.base import NOWHERE, InFunctions
from jaxmpi_lint.checks.divergence_story import DivergenceDefect, told
from jaxmpi_lint.rules.base import CheckRule, Finding

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Module


class DivergenceRule(CheckRule):
    """One finding for each divergence with the cause that the rule ``selects``.

    ``detect`` yields further kinds of defects, if the rule has any.
    """

    selects: ClassVar[Cause]
    detect: ClassVar[InFunctions] = NOWHERE
    message = "{d.who} this {d.event.title}"

    def check_module(self, module: Module) -> Iterator[Finding]:
        """The divergences in a file, then the other defects."""
        yield from self._divergences(module)
        yield from super().check_module(module)

    def _divergences(self, module: Module) -> Iterator[Finding]:
        found = module.project.get(Divergences).of_module(module)
        yield from self.report(self.defect(one) for one in found if one.cause is self.selects)

    def defect(self, divergence: Divergence) -> DivergenceDefect:
        """A divergence as a defect."""
        return told(divergence)
