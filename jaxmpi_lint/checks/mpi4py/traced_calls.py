"""Communication through mpi4py in functions that JAX traces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.tracing.tracer_values import TracedNames
from jaxmpi_lint.analysis.tracing.transform_semantics import tier, traced_calls
from jaxmpi_lint.checks.trace_steps import entry_name, trace_steps
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.model import COMMUNICATING, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_REPORTED = COMMUNICATING | {Kind.ONE_SIDED, Kind.EPOCH, Kind.START, Kind.COMPLETION}


@dataclass(frozen=True, slots=True)
class TracedCall:
    """A call that runs once, while the function is ``recorded``, or that is passed a ``tracer``."""

    function: Function
    bound: BoundCall
    transform: str
    kind: str

    @property
    def method(self) -> str:
        """The method of mpi4py."""
        return self.bound.known_operation.method

    @property
    def entry(self) -> str:
        """The function that the transform is applied to."""
        return entry_name(self.function)

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """High where more than its name identifies the communicator."""
        return Confidence.HIGH if self.kind == "recorded" and _is_certain(self.bound) else Confidence.MEDIUM

    def steps(self) -> tuple[Step, ...]:
        """How the function is traced."""
        return trace_steps(self.function)


def traced_mpi4py_calls(function: Function) -> Iterator[TracedCall]:
    """Each such call that a function makes while it is traced."""
    trace = function.project.traced.trace_of(function)
    if trace is None or tier(trace.transform) == 2:
        return
    kind = "recorded" if tier(trace.transform) == 0 else "tracer"
    while_traced = traced_calls(function.ir, function.project.traced.reached(function))
    for bound in function.calls():
        if not _communicates(bound) or bound.call.span not in while_traced or _is_kept(function, bound):
            continue
        if kind == "recorded" or _is_given_tracer(function, bound):
            yield TracedCall(function, bound, trace.transform.name, kind)


def _communicates(bound: BoundCall) -> bool:
    return any(entry.library == "mpi4py" and entry.kind in _REPORTED for entry in bound.operations)


def _is_kept(function: Function, bound: BoundCall) -> bool:
    """Whether a communicator is created once and kept: all ranks create it when they first trace the function."""
    if not all(entry.kind in (Kind.CONSTRUCTOR, Kind.GROUP_CONSTRUCTOR) for entry in bound.operations):
        return False
    if any((ir.dotted(node) or "").endswith("cache") for d in function.ir.decorators for node in ir.walk(d)):
        return True
    return any(
        isinstance(step, ir.Assign)
        and step.value is bound.call
        and any(isinstance(t, ir.Attribute) or ir.dotted(t) in function.ir.globals for t in step.targets)
        for step in function.ir.steps()
    )


def _is_certain(bound: BoundCall) -> bool:
    """Whether more than its name identifies the communicator."""
    communicator = bound.communicator
    return communicator is not None and (communicator.context.startswith("mpi4py.") or communicator.origin is not None)


def _is_given_tracer(function: Function, bound: BoundCall) -> bool:
    names = TracedNames.of(function)
    return any(names.holds_tracer(argument.value) for argument in bound.call.args)
