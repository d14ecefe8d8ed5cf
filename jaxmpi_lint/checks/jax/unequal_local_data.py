"""Global arrays assembled from local data whose shape differs between processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.local_lengths import LocalLengths
from jaxmpi_lint.analysis.jax.differentiable_values import called
from jaxmpi_lint.analysis.uniformity.communicator_usage import call_of
from jaxmpi_lint.checks.base import link_steps
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.arrays.shares import Link
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_MAKER = "make_array_from_process_local_data"


@dataclass(frozen=True, slots=True)
class UnequalParts:
    """A call that creates such an array, or passes its data on; ``shape`` is why the local shapes may differ."""

    function: Function
    call: ir.Call
    shape: Link
    confidence: Confidence = Confidence.MEDIUM

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.call.span)

    def steps(self) -> list[Step]:
        """Where the shape comes from."""
        return link_steps((self.shape,))


def unequal_parts(function: Function) -> Iterator[UnequalParts]:
    """One for each call in a function that creates such an array, or passes data to a function that does."""
    if not function.project.mentions((_MAKER,)):
        return
    for _, step, env in function.steps():
        bound = call_of(function, step)
        local = _local_data(function, bound) if bound is not None else None
        shape = LocalLengths(function, dict(env)).of(local) if local is not None else None
        if bound is not None and shape is not None:
            yield UnequalParts(function, bound.call, shape)


def _local_data(function: Function, bound: BoundCall) -> ir.Expression | None:
    """The local data in a call that assembles a global array, or in a call of a function that only does so."""
    if bound.operation is not None:
        told = bound.operation.method != _MAKER or bound.call.has_star or bound.argument("global_shape") is not None
        return None if told else bound.argument("local_data")
    target = called(function, bound)
    if target is None or _MAKER not in target.module.source(target.ir.span):
        return None
    formal = [p.name for p in target.ir.parameters if p.name != target.self_name]
    for inner in target.calls():
        local = _local_data(target, inner) if inner.operation is not None else None
        if isinstance(local, ir.Name) and local.id in formal and not target.rebinds(local.id):
            return bound.call.argument(formal.index(local.id), local.id)
    return None
