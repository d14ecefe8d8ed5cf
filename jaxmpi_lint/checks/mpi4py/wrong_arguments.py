"""Calls with an argument that is wrong whatever the program does elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class WrongArgument:
    """A call, the argument, and what the argument is, in words."""

    function: Function
    bound: BoundCall
    argument: ir.Expression
    reason: str

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """High: what the argument is follows from its text."""
        return Confidence.HIGH

    @property
    def method(self) -> str:
        """The method that is called."""
        return self.bound.known_operation.method

    @property
    def text(self) -> str:
        """The argument, as it is written."""
        return self.function.module.source(self.argument.span)

    def steps(self) -> Iterator[Step]:
        """The argument."""
        yield Step(self.function.module, self.argument.span, self.reason)
