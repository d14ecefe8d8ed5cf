"""Buffers of collectives that each rank cuts at a different place: ``comm.Bcast(x[comm.rank:])``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps, steps_with
from jaxmpi_lint.analysis.conditions.one_rank import Member, OneRank
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.uniformity.callees import callee_of
from jaxmpi_lint.checks.collectives.rank_dependent_arguments import is_for_intercommunicators, is_for_some_ranks
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Communicator, Environment
    from jaxmpi_lint.library.model import Operation

_SIZES = (2, 3, 4)
_WITH_EQUAL_COUNTS = frozenset({"Allgather", "Allreduce", "Alltoall", "Bcast", "Exscan", "Gather", "Reduce", "Scan"})
"""Collectives to which all ranks send equally much (MPI 4.1, sections 6.4 to 6.11)."""

_WITH_EQUAL_RESULTS = frozenset({"Allreduce", "Exscan", "Scan"})
"""Those from which all ranks receive as much as they send, in place too (MPI 4.1, sections 6.9 to 6.11)."""


@dataclass(frozen=True, slots=True)
class RankCount:
    """A call that takes a part of a buffer, where the part depends on the rank."""

    function: Function
    call: ir.Call
    operation: Operation
    cut: ir.Subscript

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.call.span)

    @property
    def confidence(self) -> Confidence:
        """High: the count is computed for small numbers of ranks."""
        return Confidence.HIGH

    @property
    def text(self) -> str:
        """The part, as it is written."""
        return self.function.module.line(self.cut.span)

    def steps(self) -> Iterator[Step]:
        """The part."""
        yield Step(self.function.module, self.cut.span, "has a different length on each rank")


def rank_counts(function: Function) -> Iterator[RankCount]:
    """Those of one function, also where it passes the part to a function that communicates it."""
    if function.ir.is_too_large or not _has_cuts(function) or is_for_intercommunicators(function):
        return
    for block, call, operation, cut in (*_direct(function), *_handed(function)):
        if not is_for_some_ranks(function, block):
            yield RankCount(function, call, operation, cut)


_Found = tuple[int, ir.Call, "Operation", ir.Subscript]


def _direct(function: Function) -> Iterator[_Found]:
    for block, bound, env in operation_steps(function, _has_equal_counts):
        for cut in map(_cut, _data(bound)):
            if cut is not None and bound.communicator and _parts(function, cut, bound.communicator, env):
                yield block.index, bound.call, bound.known_operation, cut
                break


def _handed(function: Function) -> Iterator[_Found]:
    calls = [
        bound
        for bound in function.calls_by_callee.get(FunctionReference, ())
        if any(_cut(argument.value) is not None for argument in bound.call.args)
    ]
    for block, bound, env in steps_with(function, calls):
        callee = callee_of(function, bound, env)
        if callee is None or function.project.is_running(callee.function):
            continue
        cuts = {name: cut for name, given in callee.passed.items() if (cut := _cut(given)) is not None}
        for inner in filter(_has_equal_counts, callee.function.operation_calls):
            for name in sorted(_names(callee.function, inner) & cuts.keys()):
                if inner.communicator and _parts(function, cuts[name], callee.rename(inner.communicator), env):
                    yield block.index, bound.call, inner.known_operation, cuts[name]
                    break


def _has_equal_counts(bound: BoundCall) -> bool:
    operation = bound.operation
    if operation is None or not operation.buffer or bound.communicator is None or bound.communicator.is_self:
        return False
    return operation.event in _WITH_EQUAL_COUNTS


def _has_cuts(function: Function) -> bool:
    return any(_cut(argument.value) is not None for bound in function.calls() for argument in bound.call.args)


def _cut(given: ir.Expression | None) -> ir.Subscript | None:
    """The part of a buffer that an argument is, also with its datatype."""
    match given:
        case ir.Collection(elements=(ir.Expression() as first, ir.Attribute())):
            return _cut(first)
        case ir.Subscript(value=value, index=ir.Slice(step=None)) if ir.dotted(value) is not None:
            return given
    return None


def _data(bound: BoundCall) -> list[ir.Expression | None]:
    """The arguments whose lengths are equal on all ranks."""
    operation = bound.known_operation
    names = operation.sends + (operation.receives if operation.event in _WITH_EQUAL_RESULTS else ())
    return [bound.argument(name) for name in names]


def _names(function: Function, bound: BoundCall) -> set[str]:
    """The parameters among them, which a called function does not replace."""
    found: set[str] = set()
    for given in _data(bound):
        match given:
            case ir.Name(id=name) | ir.Collection(elements=(ir.Name(id=name), ir.Attribute())):
                found.add(name)
    return found - function.assignments.keys()


def _parts(function: Function, cut: ir.Subscript, communicator: Communicator, env: Environment) -> bool:
    """Whether the lengths of the part differ within groups of a few sizes, if the whole is equally long everywhere."""
    if function.value(cut.value, env).structure.level.diverges or not isinstance(cut.index, ir.Slice):
        return False
    return all(_differ(function, cut.index, communicator, size, env) for size in _SIZES)


def _differ(function: Function, part: ir.Slice, communicator: Communicator, size: int, env: Environment) -> bool:
    ends: set[tuple[int, int]] = set()
    for rank in range(size):
        member = OneRank(Member(rank, size, communicator.groups))
        bounds = [0 if bound is None else member.number(function, bound, env) for bound in (part.lower, part.upper)]
        lower, upper = bounds
        if lower is None or upper is None or lower < 0 or upper < 0:
            return False
        ends.add((lower, -1) if part.upper is None else (0, upper - lower))
    return len(ends) == size
