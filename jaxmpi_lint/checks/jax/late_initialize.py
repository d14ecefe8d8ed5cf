"""Calls of ``jax.distributed.initialize`` after the backend has been started."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.checks.base import nested_steps
from jaxmpi_lint.checks.jax.backend_start import BackendStarts, LateInitialize, initialize_calls
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.rewrite.moves import move_before

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class LateCall:
    """A call that initializes too late; ``in_try`` states whether its error may be caught."""

    function: Function
    call: ir.Call
    late: LateInitialize
    in_try: bool

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.call.span)

    @property
    def confidence(self) -> Confidence:
        """High where both calls are plain calls of one function."""
        start = self.late.start
        direct = not self.late.calls and start.inner is None and not start.what.startswith("the ")
        return Confidence.HIGH if direct and not self.in_try else Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """The start of the backend, then the calls that lead to this one."""
        yield from nested_steps(self.late.start, "{what} starts the JAX backend")
        for module, span in self.late.calls:
            yield Step(module, span, "calls the function that initializes")


def late_initializations(function: Function) -> Iterator[LateCall]:
    """Each call in a function after a start."""
    starts = function.project.get(BackendStarts)
    for place, bound in initialize_calls(function):
        late = starts.late(function, place)
        if late is not None:
            yield LateCall(function, bound.call, late, bool(function.ir.blocks[place[0]].handlers))


def initialize_first(defect: LateCall) -> Repair | None:
    """Move the call before the statement that starts the backend, if both are in one block."""
    function, late = defect.function, defect.late
    if late.calls or late.start.module is not function.module or _arguments_start_backend(function, defect.call):
        return None
    edits = move_before(function.module, function.ir, defect.call.span, late.start.span)
    return Repair(Applicability.UNSAFE, "initialize before the backend starts", edits) if edits else None


def _arguments_start_backend(function: Function, call: ir.Call) -> bool:
    """Whether the arguments of the call itself start the backend."""
    inner = [node for argument in call.args for node in ir.walk(argument.value) if isinstance(node, ir.Call)]
    bound = [found for node in inner if (found := function.bound(node)) is not None]
    return any(found.dotted is not None and function.project.catalogue.starts_backend(found.dotted) for found in bound)
