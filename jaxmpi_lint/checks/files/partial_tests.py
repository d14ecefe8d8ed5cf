"""Tests of the rank that hold for the last part of an ``or`` alone: ``a or b and rank == 0``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import is_rank_test_by_name, names_role
from jaxmpi_lint.checks.files.reached import Reach
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_SAVES = re.compile(r"\.(?:save\w*|dump|to_(?:csv|json|pickle|hdf|parquet)|write_\w+|savefig|checkpoint)$|^save_?\w*$")
_OF_ALL = re.compile(r"all|each|every|size|mpi|comm|serial|single|n_?procs|parallel|force|local", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PartialTest:
    """The call that all ranks reach if the first condition holds, and the test of the rank."""

    function: Function
    call: ir.Span
    condition: ir.Span
    test: ir.Span
    name: str
    kind: str = "partial"

    @property
    def place(self) -> Place:
        """The test."""
        return Place(self.function.module, self.test)

    @property
    def confidence(self) -> Confidence:
        """Medium: the name of the call alone says that it writes a file."""
        return Confidence.MEDIUM

    @property
    def text(self) -> str:
        """The condition that is enough for every rank."""
        return self.function.module.line(self.condition)

    def steps(self) -> Iterator[Step]:
        """The first condition and the call."""
        yield Step(self.function.module, self.condition, "if this holds, the rank is not tested")
        yield Step(self.function.module, self.call, f"every rank reaches this `{self.name}` then")


def partial_tests(function: Function) -> Iterator[PartialTest]:
    """Those of one function."""
    for block, branch, _ in function.branches():
        found = _parts(function, block.index, branch.test) if branch.kind == "if" else None
        call = _saving(function, block.index, branch) if found is not None else None
        if found is not None and call is not None and function.project.get(Reach).may_be_all(function):
            yield PartialTest(function, call[0], found[0], found[1], call[1])


def _parts(function: Function, block: int, test: ir.Expression) -> tuple[ir.Span, ir.Span] | None:
    """The condition that is enough, and the test of the rank that is joined to the last one by `and`."""
    match test:
        case ir.BooleanOperation(operator="or", operands=(first, ir.BooleanOperation(operator="and") as second)):
            *conditions, last = second.operands
            said = [function.module.source(one.span) for one in (first, *conditions)]
            if any(names_role(one) or _OF_ALL.search(one) for one in said) or _has_parentheses(function, first, second):
                return None
            value = function.value(last, function.flow.environment_before(block, None))
            if value.content.level is Level.RANK or is_rank_test_by_name(function, last):
                return first.span, last.span
    return None


def _has_parentheses(function: Function, first: ir.Expression, second: ir.Expression) -> bool:
    """Whether the author has grouped the second operand."""
    return "".join(function.module.text[first.span[1] : second.span[0]].split()) != "or"


def _saving(function: Function, block: int, last: ir.Branch) -> tuple[ir.Span, str] | None:
    """A call where the test holds that is named for writing a file."""
    join = function.graph.immediate_postdominator(block)
    body = ({last.when_true} | function.graph.reachable(last.when_true, join)) - {join, block}
    for index, bound in function.calls_by_block:
        name = function.module.source(bound.call.func.span)
        if index in body and _SAVES.search(name) and "\n" not in name:
            return bound.call.span, name
    return None
