"""mpi4jax collectives that only some ranks record while a function is traced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.divergence.divergences import Divergences
from jaxmpi_lint.checks import divergence_story
from jaxmpi_lint.checks.divergence_story import DivergenceDefect
from jaxmpi_lint.checks.trace_steps import entry_name, trace_steps
from jaxmpi_lint.findings.model import Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class TracedDivergence(DivergenceDefect):
    """A divergence while a function is traced."""

    @property
    def entry(self) -> str:
        """The function that the transform is applied to."""
        return entry_name(self.divergence.function)

    def steps(self) -> tuple[Step, ...]:
        """How the ranks diverge, then how the function is traced."""
        return (*divergence_story.steps(self.divergence), *trace_steps(self.divergence.function))


def traced_divergences(function: Function) -> Iterator[TracedDivergence]:
    """Each divergence of a traced function in which an mpi4jax collective is missing on one side."""
    if function.project.traced.trace_of(function) is None:
        return
    reached = function.project.traced.reached(function)
    for divergence in function.project.get(Divergences).of(function):
        operation = divergence.event.operation
        if operation is not None and operation.library == "mpi4jax" and divergence.event.block in reached:
            yield TracedDivergence(divergence)
