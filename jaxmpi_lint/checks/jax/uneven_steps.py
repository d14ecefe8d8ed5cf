"""Collective steps of all JAX processes in loops whose trip count is the length of the local data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.arrays.share_holders import share_holders
from jaxmpi_lint.analysis.arrays.shares import Shares
from jaxmpi_lint.analysis.arrays.uneven_loops import UnevenLoop, uneven_loops
from jaxmpi_lint.analysis.jax.collective_calls import JointStep, joint_step
from jaxmpi_lint.analysis.jax.global_arrays import has_several_processes
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.lattice.limits import UNEVEN_LOOP_CALLS
from jaxmpi_lint.checks.base import link_steps, nested_steps
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


@dataclass(frozen=True, slots=True)
class UnevenStep:
    """A step in such a loop; ``calls`` lead from the function that splits the data to that of the loop."""

    function: Function
    loop: UnevenLoop
    step: JointStep
    calls: tuple[Step, ...]
    confidence: Confidence = Confidence.MEDIUM

    @property
    def place(self) -> Place:
        """The step."""
        return Place(self.function.module, self.step.span)

    def steps(self) -> Iterator[Step]:
        """How the data is split, the calls that pass it on, the loop, the calls inside the step."""
        yield from link_steps(self.loop.share.links)
        yield from self.calls
        message = "the trip count is the number of local elements"
        yield Step(self.function.module, self.loop.header, message)
        yield from nested_steps(self.step.inner, "{what} waits for all processes")


def uneven_steps(project: Program) -> Iterator[UnevenStep]:
    """One for each loop over local data, and for each path on which the data is passed to the loop's function."""
    holders = share_holders(project) if has_several_processes(project) else ()
    for module in project.reported_modules() if holders else ():
        for function in module.functions():
            if function.key in holders:
                yield from _driven_by(Shares(function), ())


def _driven_by(shares: Shares, calls: tuple[Step, ...]) -> Iterator[UnevenStep]:
    for loop in uneven_loops(shares):
        joint = (joint_step(shares.function, bound) for bound in loop.calls)
        step = next((found for found in joint if found is not None), None)
        if step is not None:
            yield UnevenStep(shares.function, loop, step, calls)
    if len(calls) < UNEVEN_LOOP_CALLS:
        yield from _in_callees(shares, calls)


def _in_callees(shares: Shares, calls: tuple[Step, ...]) -> Iterator[UnevenStep]:
    """Functions to which local data is passed as an argument."""
    for bound in shares.function.calls_by_callee.get(FunctionReference, ()):
        entity = bound.callee.entity
        if not isinstance(entity, FunctionReference):
            continue
        given = shares.arguments(bound, entity)
        callee = shares.function.project.function(entity.path, entity.qualname) if given else None
        if callee is not None and not callee.ir.is_generator:
            call = Step(shares.function.module, bound.call.span, f"passed to `{callee.ir.name}`")
            yield from _driven_by(Shares(callee, given), (*calls, call))
