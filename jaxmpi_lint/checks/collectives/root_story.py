"""Defects and repairs for constant roots in functions with a parameter for the root."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.checks.collectives.root_finder import hard_coded_roots
from jaxmpi_lint.checks.collectives.root_parameters import RootParameter
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class ConstantRoot:
    """A collective whose root is a constant, and the parameter that should be its root."""

    function: Function
    bound: BoundCall
    root: RootParameter
    constant: int
    confidence: Confidence

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def method(self) -> str:
        """The collective."""
        return self.bound.known_operation.method

    @property
    def name(self) -> str:
        """The parameter."""
        return self.root.parameter.name

    @property
    def given(self) -> ir.Expression | None:
        """The root as passed; None if it is omitted."""
        return self.bound.argument(self.bound.known_operation.root)

    @property
    def shown(self) -> str:
        """The root of the call, for the message."""
        return f"root {self.constant}" if self.given is not None else f"the default root {self.constant}"

    def steps(self) -> Iterator[Step]:
        """The parameter, and its use as a root."""
        module, uses = self.function.module, self.root.uses
        yield Step(module, self.root.parameter.span, f"the caller passes the root as `{self.name}`")
        if uses.origin is not None:
            yield Step(module, uses.origin, f"`{self.name}` is used as the root here")


def constant_roots(function: Function) -> Iterator[ConstantRoot]:
    """The calls of a function whose root should be its parameter."""
    for bound, root, constant, sure in hard_coded_roots(function):
        yield ConstantRoot(function, bound, root, constant, sure)


def passed_root(found: ConstantRoot) -> Repair | None:
    """The parameter in place of the constant, or after the last argument."""
    if found.root.uses.rebound or found.root.uses.may_be_none:
        return None
    if found.given is not None:
        edit = found.given.span, found.name
    elif not found.bound.call.args:
        return None
    else:
        last = found.bound.call.args[-1].span[1]
        edit = (last, last), f", root={found.name}"
    return Repair(Applicability.SAFE, f"pass `{found.name}` as the root", (edit,))
