"""Calls of mpi4py's communicators whose arguments the method does not have, or that lack one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.model import Kind, Operation
from jaxmpi_lint.library.mpi.mpi4py_names import MEMBERS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis import ir
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_KINDS = frozenset({Kind.COLLECTIVE, Kind.SEND, Kind.RECEIVE, Kind.SENDRECV})


@dataclass(frozen=True, slots=True)
class UnfitCall:
    """A call and what does not fit, in words."""

    function: Function
    call: ir.Call
    reason: str

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.call.span)

    @property
    def confidence(self) -> Confidence:
        """High: the communicator is one of mpi4py."""
        return Confidence.HIGH

    def steps(self) -> Iterator[Step]:
        """None: the call itself shows it."""
        yield from ()


def unfit_arguments(function: Function) -> Iterator[UnfitCall]:
    """The calls of a function that fail because of their arguments, each once."""
    seen: set[ir.Span] = set()
    for bound in function.calls():
        if bound.call.span in seen or not _is_certain(bound):
            continue
        reasons = [_reason(operation, bound.call) for operation in bound.operations]
        if all(reasons) and not is_expected_to_fail(function.ir, bound.call.span):
            seen.add(bound.call.span)
            yield UnfitCall(function, bound.call, reasons[-1])


def _is_certain(bound: BoundCall) -> bool:
    """Whether a call provably is a method of a communicator of mpi4py, and its arguments are in sight."""
    communicator = bound.communicator
    if communicator is None or bound.call.has_star:
        return False
    if communicator.origin is None and not communicator.context.startswith(MEMBERS):
        return False
    return bool(bound.operations) and all(
        one.name.startswith(MEMBERS) and one.communicator == "self" and one.kind in _KINDS and not one.attribute
        for one in bound.operations
    )


def _reason(operation: Operation, call: ir.Call) -> str:
    """What does not fit; empty if all arguments do."""
    parameters = operation.parameters
    positional = sum(argument.keyword is None for argument in call.args)
    keywords = [argument.keyword for argument in call.args if argument.keyword is not None]
    unknown = next((keyword for keyword in keywords if keyword not in parameters), None)
    if unknown is not None:
        return f"`{operation.method}` has no parameter `{unknown}` (it has {_listed(parameters)})"
    if positional > len(parameters):
        return f"`{operation.method}` has {_listed(parameters)}, and {positional} positional arguments are passed"
    defaults = {name for name, _ in operation.defaults}
    given = {*parameters[:positional], *keywords}
    missing = next((name for name in parameters if name not in defaults and name not in given), None)
    return "" if missing is None else f"`{operation.method}` needs the argument `{missing}`"


def _listed(parameters: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in parameters) or "no parameters"
