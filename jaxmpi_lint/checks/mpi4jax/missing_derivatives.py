"""mpi4jax operations that are differentiated in a mode for which they have no derivative rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.jax.differentiation import Differentiated, differentiated
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.mpi.mpi4jax_functions import DIFFERENTIABLE

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_CONSTANTS = frozenset({"zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like"})


@dataclass(frozen=True, slots=True)
class MissingDerivative:
    """An operation that cannot be differentiated; ``kind`` is the reason."""

    found: Differentiated
    kind: str

    @property
    def method(self) -> str:
        """The operation."""
        return self.found.bound.known_operation.method

    @property
    def reduction(self) -> str:
        """The predefined reduction operator."""
        return (_predefined(self.found) or "").removeprefix("mpi4py.")

    @property
    def place(self) -> Place:
        """The call of the operation."""
        return Place(self.found.values.function.module, self.found.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """High: the transform is known."""
        return Confidence.HIGH

    def steps(self) -> Iterator[Step]:
        """The derivative, and the checkpoint in between."""
        derivative, checkpoint = self.found.derivative, self.found.checkpoint
        yield Step(derivative.module, derivative.span, "differentiated here")
        if checkpoint is not None and checkpoint[1] != derivative.span:
            yield Step(*checkpoint, "a checkpoint, which the derivative recomputes")


def missing_derivatives(project: Program) -> Iterator[MissingDerivative]:
    """One for each operation, even if it is differentiated several times."""
    reported: set[tuple[str, ir.Span]] = set()
    for found in differentiated(project):
        kind = _kind(found) if found.place not in reported else None
        if kind is not None:
            reported.add(found.place)
            yield MissingDerivative(found, kind)


def _kind(found: Differentiated) -> str | None:
    """Why an operation cannot be differentiated; None if it can, or if no differentiated value is passed to it."""
    operation = found.bound.known_operation
    if found.checkpoint is not None and found.derivative.backward:
        return "checkpoint"
    names = (*operation.sends, *((operation.template,) if operation.template is not None else ()))
    if not any(found.values.carries(found.bound.argument(name)) for name in names):
        return None
    if operation.method not in DIFFERENTIABLE:
        return "none"
    if operation.method == "allreduce":
        return "operator" if _predefined(found) not in (None, "mpi4py.MPI.SUM") else None
    return _kind_of_exchange(found) if operation.method == "sendrecv" else None


def _predefined(found: Differentiated) -> str | None:
    """The name of the reduction operator, if it is predefined in MPI."""
    function, given = found.values.function, found.bound.argument(found.bound.known_operation.reduction)
    entity = function.value(given, dict(function.flow.exit)).entity if given is not None else None
    return entity.dotted if isinstance(entity, Named) and entity.dotted.startswith("mpi4py.MPI.") else None


def _kind_of_exchange(found: Differentiated) -> str | None:
    if found.derivative.forward:
        return "forward"
    template = found.bound.argument(found.bound.known_operation.template)
    return "constant" if _is_constant(found.values.function, template) else None


def _is_constant(function: Function, template: ir.Expression | None) -> bool:
    if isinstance(template, ir.Name):
        found = visible_definitions(function, template.id)
        return found is not None and all(not isinstance(v, ir.Name) and _is_constant(found[0], v) for v in found[1])
    if not isinstance(template, ir.Call):
        return False
    bound = function.bound(template)
    package, _, name = ((bound.dotted if bound is not None else None) or "").rpartition(".")
    return package in ("jax.numpy", "numpy") and name in _CONSTANTS
