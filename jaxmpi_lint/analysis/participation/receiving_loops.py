"""Loops in which a rank receives a message from each of several ranks; after them, all of these have sent it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.library.model import Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def receiving_loops(function: Function) -> frozenset[int]:
    """The blocks with the tests of such loops. Messages of one rank, which a constant names, say nothing of others."""
    received = [
        bound.call.span
        for _, bound in function.calls_by_block
        if bound.operation is not None
        and bound.operation.kind is Kind.RECEIVE
        and not isinstance(bound.argument("source"), ir.Constant)
    ]
    return frozenset(
        block.index
        for block, branch, _ in function.branches()
        if branch.kind == "for"
        and any(branch.extent[0] <= span[0] and span[1] <= branch.extent[1] for span in received)
    )
