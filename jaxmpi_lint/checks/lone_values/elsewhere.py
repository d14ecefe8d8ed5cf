"""Results that only the root of a collective has, and that only other ranks read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, nested_functions, reads_anywhere, terminator_expressions
from jaxmpi_lint.analysis.conditions.one_rank import Member, OneRank
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.checks.lone_values.reached import SIZES, members, reaches
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.model import Kind, Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class ResultElsewhere:
    """The first read of a result, which no root of the collective reaches."""

    function: Function
    name: str
    read: ir.Span
    bound: BoundCall
    kind: str = "elsewhere"

    @property
    def place(self) -> Place:
        """The read."""
        return Place(self.function.module, self.read)

    @property
    def confidence(self) -> Confidence:
        """High: the root and the ranks that read the result are computed."""
        return Confidence.HIGH

    @property
    def text(self) -> str:
        """The name."""
        return self.name

    @property
    def method(self) -> str:
        """The collective."""
        return self.bound.known_operation.method

    def steps(self) -> Iterator[Step]:
        """The collective."""
        yield Step(self.function.module, self.bound.call.span, "gives the result to its root only")


def results_elsewhere(function: Function) -> Iterator[ResultElsewhere]:
    """The results of a function that are read on the wrong ranks."""
    if function.ir.is_too_large or function.ir.kind == "class":
        return
    for block, bound, env in operation_steps(function, lambda bound: _is_rooted(function, bound)):
        name = _name(function, bound)
        reads = _reads(function, name, bound.call.span) if name is not None else None
        if name is None or not reads or block.index in {index for index, _ in reads}:
            continue
        if all(_is_missed(function, bound, env, {index for index, _ in reads}, size) for size in SIZES):
            yield ResultElsewhere(function, name, min(span for _, span in reads), bound)


def _is_rooted(function: Function, bound: BoundCall) -> bool:
    operation = bound.operation
    rooted = operation is not None and operation.kind is Kind.COLLECTIVE and operation.result is Result.ROOT
    return (
        rooted
        and operation is not None
        and operation.root is not None
        and is_mpi4py_call(function.project, bound, function)
    )


def _name(function: Function, bound: BoundCall) -> str | None:
    """The local name that the result is assigned to, if nothing else is."""
    named = [name for name, values in function.assignments.items() if bound.call.span in values]
    if len(named) != 1 or "." in named[0] or not function.is_local(named[0]) or named[0] in function.ir.globals:
        return None
    values = function.assignments[named[0]]
    is_only = len(values) == 1 and named[0] not in function.bound_otherwise | function.written_inside
    return named[0] if is_only and not _is_read_inside(function, named[0]) else None


def _is_read_inside(function: Function, name: str) -> bool:
    """Whether a function inside of this one, or one of the module, reads the name."""
    inner = function.module.functions.values() if function.ir.kind == "module" else nested_functions(function)
    return any(
        isinstance(node, ir.Name) and node.id == name
        for one in inner
        if one.kind != "module"
        for read in reads_anywhere(one)
        for node in ir.walk(read)
    )


def _reads(function: Function, name: str, call: ir.Span) -> list[tuple[int, ir.Span]]:
    """The reads of a name, with their blocks."""
    found: list[tuple[int, ir.Span]] = []
    for block in function.ir.blocks:
        read = [one for step in block.steps for one in expressions_read(step)] + list(terminator_expressions(block))
        nodes = (node for one in read for node in ir.walk(one))
        found += [(block.index, node.span) for node in nodes if isinstance(node, ir.Name) and node.id == name]
    return [(index, span) for index, span in found if not call[0] <= span[0] < call[1]]


def _is_missed(function: Function, bound: BoundCall, env: Environment, blocks: set[int], size: int) -> bool:
    """Whether the root reaches none of the reads, and a rank that lacks the result reaches one."""
    if bound.communicator is None:
        return False
    ranks = members(size, bound.communicator.groups)
    root = _root(function, bound, env, ranks[0])
    if root is None or not 0 <= root < size or any(reaches(function, one, ranks[root]) is not False for one in blocks):
        return False
    return any(reaches(function, one, rank) is True for rank in ranks if rank.rank != root for one in blocks)


def _root(function: Function, bound: BoundCall, env: Environment, member: Member) -> int | None:
    """The root of a call; 0 if none is passed."""
    given = bound.argument(bound.known_operation.root)
    return 0 if given is None else OneRank(member).number(function, given, env)
