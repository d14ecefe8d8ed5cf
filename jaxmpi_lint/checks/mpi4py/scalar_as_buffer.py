"""Upper-case calls whose buffer is a number or a string."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.conditions.rooted_calls import is_of_root, significant_at_root
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.checks.mpi4py.plain_numbers import is_number, is_text
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class ScalarAsBuffer:
    """A call, and the argument that is no buffer."""

    function: Function
    bound: BoundCall
    argument: ir.Expression

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """High: the type of the argument is known."""
        return Confidence.HIGH

    @property
    def method(self) -> str:
        """The upper-case method."""
        return self.bound.known_operation.method

    @property
    def text(self) -> str:
        """The argument, as it is written."""
        return self.function.module.source(self.argument.span)

    def steps(self) -> Iterator[Step]:
        """The argument."""
        yield Step(self.function.module, self.argument.span, "a number or a string: it has no buffer")


def scalars_as_buffers(function: Function) -> Iterator[ScalarAsBuffer]:
    """The calls of a function with such an argument, one finding for each call."""
    seen: set[ir.Span] = set()
    for block, bound, env in operation_steps(function, _has_buffers):
        if bound.call.span in seen or not is_mpi4py_call(function.project, bound, function):
            continue
        for argument in _buffers(function, block.index, bound):
            if is_number(function, argument, env) or is_text(function, argument, env):
                seen.add(bound.call.span)
                if not is_expected_to_fail(function.ir, bound.call.span):
                    yield ScalarAsBuffer(function, bound, argument)
                break


def _has_buffers(bound: BoundCall) -> bool:
    operation = bound.operation
    return operation is not None and operation.buffer and operation.library == "mpi4py" and not bound.call.has_star


def _buffers(function: Function, block: int, bound: BoundCall) -> Iterator[ir.Expression]:
    """The buffers that count on the ranks that make the call."""
    operation = bound.known_operation
    unused = significant_at_root(operation) if is_of_root(function, block, bound) is False else ()
    for parameter in dict.fromkeys((*operation.sends, *operation.receives)):
        given = bound.argument(parameter) if parameter not in unused else None
        if given is not None:
            yield given
