"""`MPI.IN_PLACE` in a collective with a root, on ranks that are not the root: MPI defines it for the root alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.conditions.guards import names_role
from jaxmpi_lint.analysis.conditions.rooted_calls import (
    ROOTED,
    blocking_name,
    has_unknown_role,
    is_of_root,
    significant_at_root,
)
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.analysis.participation.spmd_code import is_for_some
from jaxmpi_lint.checks.collectives.rank_dependent_arguments import is_for_intercommunicators, is_for_some_ranks
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module
    from jaxmpi_lint.analysis.lattice.lattice import Environment
    from jaxmpi_lint.library.model import Operation

_IN_PLACE = Named("mpi4py.MPI.IN_PLACE")


@dataclass(frozen=True, slots=True)
class InPlaceOffRoot:
    """A call that ranks other than the root make in place."""

    function: Function
    call: ir.Call
    operation: Operation
    buffer: ir.Expression
    kind = "in place"

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.call.span)

    @property
    def confidence(self) -> Confidence:
        """High: the argument is the same on all ranks that make the call."""
        return Confidence.HIGH

    @property
    def what(self) -> str:
        """The name of the buffer."""
        return "receive" if blocking_name(self.operation).startswith("Scatter") else "send"

    def steps(self) -> Iterator[Step]:
        """The argument."""
        yield Step(self.function.module, self.buffer.span, "passed by ranks that are not the root too")


def in_place_off_root(function: Function) -> Iterator[InPlaceOffRoot]:
    """Those calls of one function; a call that some ranks make for which the root may be one of them is none."""
    if function.ir.is_too_large or is_for_intercommunicators(function):
        return
    for block, bound, env in operation_steps(function, _is_rooted):
        buffer = _in_place(function, bound, env)
        if buffer is None or not is_mpi4py_call(function.project, bound):
            continue
        by_root = is_of_root(function, block.index, bound)
        is_sure = by_root is False and not has_unknown_role(function, block.index)
        is_by_others = is_sure or (by_root is None and _is_of_all(function, block.index, bound))
        if is_by_others and not is_expected_to_fail(function.ir, bound.call.span):
            yield InPlaceOffRoot(function, bound.call, bound.known_operation, buffer)


def _is_rooted(bound: BoundCall) -> bool:
    operation, communicator = bound.operation, bound.communicator
    if operation is None or communicator is None or communicator.is_self:
        return False
    return operation.buffer and blocking_name(operation) in ROOTED


def _in_place(function: Function, bound: BoundCall, env: Environment) -> ir.Expression | None:
    """The buffer of every rank, if it is `MPI.IN_PLACE`."""
    operation = bound.known_operation
    of_root = significant_at_root(operation)
    for name in (*operation.sends, *operation.receives):
        given = bound.argument(name)
        value = function.value(given, env) if name not in of_root and given is not None else None
        if value is not None and value.entity == _IN_PLACE and value.content.level is Level.UNIFORM:
            return given  # not one that a test of the rank chooses
    return None


def _is_of_all(function: Function, block: int, bound: BoundCall) -> bool:
    """Whether nothing tells that only the root makes the call: no test, no name, no call for the other ranks."""
    if is_for_some_ranks(function, block) or is_for_some(function, block):
        return False
    if names_role(function.ir.qualname.removeprefix("main")):
        return False
    return not _has_counterpart(function.module_model, bound.known_operation)


def _has_counterpart(module: Module, operation: Operation) -> bool:
    """Whether the file also calls the operation without the buffer that only the root needs."""
    names = significant_at_root(operation)
    return any(
        call.operation is not None
        and blocking_name(call.operation) == blocking_name(operation)
        and any(ir.is_none(given) for given in map(call.argument, names) if given is not None)
        for other in module.with_operations
        for call in other.operation_calls
    )
