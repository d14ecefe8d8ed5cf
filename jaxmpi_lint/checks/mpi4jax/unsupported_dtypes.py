"""Arrays whose dtype mpi4jax or the reduction operator does not support."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.jax_dtype_flow import KEY
from jaxmpi_lint.analysis.arrays.operand_dtypes import SentArray, SentTypes
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.jax.dtypes import NARROW

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_ARITHMETIC = frozenset({"SUM", "PROD"})
_ORDER = frozenset({"MAX", "MIN"})
_LOGICAL = frozenset({"LAND", "LOR", "LXOR"})
_BITWISE = frozenset({"BAND", "BOR", "BXOR"})
_PAIRS = frozenset({"MAXLOC", "MINLOC"})
_DEFINED = {
    "bool": _LOGICAL,
    "complex": _ARITHMETIC,
    "float": _ARITHMETIC | _ORDER,
    "int": _ARITHMETIC | _ORDER | _LOGICAL | _BITWISE,
}
_OPERATORS = _ARITHMETIC | _ORDER | _LOGICAL | _BITWISE | _PAIRS


@dataclass(frozen=True, slots=True)
class UnsupportedArray:
    """An array that an operation cannot send.

    It is a random ``key``, a ``narrow`` number, or of a numeric kind for which the operator is not defined.
    """

    function: Function
    sent: SentArray
    kind: str

    @property
    def method(self) -> str:
        """The operation."""
        return self.sent.bound.known_operation.method

    @property
    def wide(self) -> str:
        """A wider dtype that can be sent."""
        return "int32" if "int" in self.sent.dtype else "float32"

    @property
    def place(self) -> Place:
        """The call of the operation."""
        return Place(self.function.module, self.sent.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """High where the dtype is known in the function itself."""
        return Confidence.HIGH if self.sent.caller is None else Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """The call that passes the array."""
        if self.sent.caller is not None:
            yield Step(*self.sent.caller, "passes the array")


def unsupported_arrays(function: Function) -> Iterator[UnsupportedArray]:
    """The first such array of each operation in a function."""
    if not function.module_model.mentions(("mpi4jax",)):
        return
    reported: set[ir.Span] = set()
    for sent in function.project.get(SentTypes).of_function(function):
        kind = _kind(sent)
        if kind is not None and sent.bound.call.span not in reported:
            reported.add(sent.bound.call.span)
            yield UnsupportedArray(function, sent, kind)


def _kind(sent: SentArray) -> str | None:
    if sent.dtype == KEY:
        return "key"
    if sent.dtype in NARROW:
        return "narrow"
    numbers = sent.dtype.lstrip("u").rstrip("0123456789")
    return numbers if sent.reduction in _OPERATORS - _DEFINED.get(numbers, _OPERATORS) else None
