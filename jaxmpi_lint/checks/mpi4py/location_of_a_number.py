"""Pickle-based reductions with `MPI.MINLOC` or `MPI.MAXLOC` whose operand is no pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.checks.mpi4py.plain_numbers import is_number
from jaxmpi_lint.checks.mpi4py.wrong_arguments import WrongArgument

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_REASON = "one number, without the location that belongs to it"
_LOCATIONS = {"mpi4py.MPI.MINLOC": "MPI.MINLOC", "mpi4py.MPI.MAXLOC": "MPI.MAXLOC"}


@dataclass(frozen=True, slots=True)
class LocationOfNumber(WrongArgument):
    """A reduction of one number, and the name of the operator, which is for pairs."""

    operator: str


def locations_of_numbers(function: Function) -> Iterator[LocationOfNumber]:
    """The reductions of a function with such an operand."""
    seen: set[ir.Span] = set()
    for _, bound, env in operation_steps(function, _reduces_objects):
        operator = _operator(function, bound, env)
        operand = bound.argument(bound.known_operation.sends[0]) if bound.known_operation.sends else None
        if operator is None or operand is None or bound.call.span in seen:
            continue
        if is_number(function, operand, env) and not is_expected_to_fail(function.ir, bound.call.span):
            seen.add(bound.call.span)
            yield LocationOfNumber(function, bound, operand, _REASON, operator)


def _reduces_objects(bound: BoundCall) -> bool:
    operation = bound.operation
    return (
        operation is not None and operation.library == "mpi4py" and bool(operation.reduction) and not operation.buffer
    )


def _operator(function: Function, bound: BoundCall, env: Environment) -> str | None:
    given = bound.argument(bound.known_operation.reduction)
    entity = function.value(given, env).entity if given is not None else None
    if not isinstance(entity, Named) or not is_mpi4py_call(function.project, bound, function):
        return None
    return _LOCATIONS.get(entity.dotted)
