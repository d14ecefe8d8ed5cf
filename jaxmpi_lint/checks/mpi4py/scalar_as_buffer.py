"""Upper-case calls whose buffer is a number or a string."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.conditions.rooted_calls import is_of_root, significant_at_root
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.checks.mpi4py.plain_numbers import is_number, is_text
from jaxmpi_lint.checks.mpi4py.wrong_arguments import WrongArgument

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def scalars_as_buffers(function: Function) -> Iterator[WrongArgument]:
    """The calls of a function with such an argument, one finding for each call."""
    seen: set[ir.Span] = set()
    for block, bound, env in operation_steps(function, _has_buffers):
        if bound.call.span in seen or not is_mpi4py_call(function.project, bound, function):
            continue
        for argument in _buffers(function, block.index, bound):
            if is_number(function, argument, env) or is_text(function, argument, env):
                seen.add(bound.call.span)
                if not is_expected_to_fail(function.ir, bound.call.span):
                    yield WrongArgument(function, bound, argument, "a number or a string: it has no buffer")
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
