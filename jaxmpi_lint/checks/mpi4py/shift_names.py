"""Names for the ranks that `Shift` returns, in the wrong order: the first one is the source."""

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

_BY_ROLE = (("source", "dest"), ("src", "dst"), ("src", "dest"), ("from", "to"))
"""Words for the rank to receive from, which is the first one, and the rank to send to."""

_BY_PLACE = (("left", "right"), ("west", "east"), ("prev", "next"), ("previous", "next"))
"""Words for the neighbour at the smaller and at the larger coordinate; `up` and `upper` depend on the drawing."""


@dataclass(frozen=True, slots=True)
class ShiftNames:
    """An assignment of the result of `Shift`, and the names of its ranks."""

    function: Function
    step: ir.Assign
    first: str
    second: str

    @property
    def place(self) -> Place:
        """The assignment."""
        return Place(self.function.module, self.step.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: names may have a meaning of their own."""
        return Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """Nothing further."""
        return iter(())


def shift_names(function: Function) -> Iterator[ShiftNames]:
    """The assignments of a function whose names are in the other order."""
    for step in function.ir.steps():
        match step:
            case ir.Assign(targets=(ir.Collection(elements=(first, second)),), value=ir.Call() as call):
                bound = function.bound(call)
                displacement = None if bound is None else _displacement(bound)
                names = _name(first), _name(second)
                by_place = _BY_PLACE if displacement == 1 else tuple((after, before) for before, after in _BY_PLACE)
                if displacement and any(_are_exchanged(*names, *pair) for pair in (*_BY_ROLE, *by_place)):
                    yield ShiftNames(function, step, *names)


def _displacement(bound: BoundCall) -> int | None:
    """The displacement of a `Shift` on a Cartesian communicator, 1 or -1; None for other calls."""
    if bound.operation is None or bound.operation.method != "Shift":
        return None
    match bound.argument("disp"):
        case ir.Constant(value=1 | -1 as given):
            return int(given)
        case ir.UnaryOperation(operator="-", operand=ir.Constant(value=1)):
            return -1
    return None


def _name(target: ir.Expression) -> str:
    """The last word of a variable or a field."""
    return (ir.dotted(target) or "").rpartition(".")[2].lower()


def _are_exchanged(first: str, second: str, before: str, after: str) -> bool:
    """Whether two names differ in these words only, and have them in the other order."""
    return after in first and before in second and first.replace(after, "") == second.replace(before, "")
