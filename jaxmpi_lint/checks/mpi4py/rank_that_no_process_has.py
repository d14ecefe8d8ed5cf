"""Tests for a rank that no process has: ranks count from 0 to ``size - 1`` (MPI 4.1, section 7.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import RankOf, SizeOf
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class ImpossibleRank:
    """A comparison of the rank in a communicator with the size of that communicator."""

    function: Function
    test: ir.Comparison

    @property
    def place(self) -> Place:
        """The comparison."""
        return Place(self.function.module, self.test.span)

    @property
    def confidence(self) -> Confidence:
        """High: the comparison is false on all ranks, whatever their number is."""
        return Confidence.HIGH

    @property
    def text(self) -> str:
        """The comparison, as it is written."""
        return self.function.module.source(self.test.span)

    def steps(self) -> Iterator[Step]:
        """Nothing but the place."""
        return iter(())


def impossible_ranks(function: Function) -> Iterator[ImpossibleRank]:
    """The tests of a function that no rank passes."""
    for block, branch, _ in function.branches():
        env = function.flow.environment_before(block.index, None)
        for node in ir.walk(branch.test):
            if isinstance(node, ir.Comparison) and _is_impossible(function, node, env):
                yield ImpossibleRank(function, node)


def _is_impossible(function: Function, test: ir.Comparison, env: Environment) -> bool:
    if test.operators != ("==",) or any(isinstance(one, ir.BinaryOperation) for one in test.operands):
        return False
    rank, size = (function.value(one, env).entity for one in test.operands)
    if isinstance(rank, SizeOf):
        rank, size = size, rank
    if not isinstance(rank, RankOf) or not isinstance(size, SizeOf):
        return False
    mine, others = rank.communicator, size.communicator
    return (mine.context, mine.groups) == (others.context, others.groups)
