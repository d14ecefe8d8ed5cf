"""Calls of `Split` whose colour is a type of communicators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.checks.mpi4py.wrong_arguments import WrongArgument
from jaxmpi_lint.findings.diagnostics import Applicability
from jaxmpi_lint.findings.model import Repair

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_TYPES = "mpi4py.MPI.COMM_TYPE_"


def split_types_as_colours(function: Function) -> Iterator[WrongArgument]:
    """The calls of a function that split by a constant for `Split_type`."""
    seen: set[ir.Span] = set()
    for _, bound, env in operation_steps(function, _splits):
        colour = bound.argument("color")
        entity = function.value(colour, env).entity if colour is not None else None
        is_type = isinstance(entity, Named) and entity.dotted.startswith(_TYPES)
        if colour is not None and is_type and bound.call.span not in seen:
            seen.add(bound.call.span)
            yield WrongArgument(function, bound, colour, "the same number on every rank: one group of all of them")


def _splits(bound: BoundCall) -> bool:
    return bound.operation is not None and bound.operation.library == "mpi4py" and bound.operation.method == "Split"


def by_type(found: WrongArgument) -> Repair | None:
    """The fix: ``Split_type``, whose first parameter has a different name; the other parameters are the same."""
    called = found.bound.call.func
    argument = next(one for one in found.bound.call.args if one.value is found.argument)
    if not isinstance(called, ir.Attribute) or argument.star:
        return None
    method = (called.span[1] - len(called.attr), called.span[1])
    name = "split_type=" if argument.keyword is not None else ""
    return Repair(
        Applicability.UNSAFE, "split by the type", ((method, "Split_type"), (argument.span, name + found.text))
    )
