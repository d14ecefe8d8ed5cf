"""Arrays with as many elements as a message has bytes: `Status.Get_count()` without a datatype."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.checks.mpi4py.returned_results import NEW_ARRAYS
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_BYTES = ("byte", "int8", "bool", 'b"', 'B"', "b'", "B'", "u1", "i1", "S1", "char", "dtype")


@dataclass(frozen=True, slots=True)
class CountOfBytes:
    """The call that makes the array, and the one that counts bytes."""

    function: Function
    call: ir.Call
    count: ir.Call

    @property
    def place(self) -> Place:
        """The array."""
        return Place(self.function.module, self.call.span)

    @property
    def text(self) -> str:
        """How the bytes are counted."""
        return self.function.module.line(self.count.span)

    @property
    def confidence(self) -> Confidence:
        """High: the default datatype of `Get_count` is `MPI.BYTE`."""
        return Confidence.HIGH

    def steps(self) -> Iterator[Step]:
        """The count."""
        yield Step(self.function.module, self.count.span, "counts bytes, as no datatype is passed")


def counts_of_bytes(function: Function) -> Iterator[CountOfBytes]:
    """The arrays of a function that are made with such a count, and not cut to the number of elements."""
    if any(_counts_elements(bound.call) for _, bound in function.calls_by_block):
        return
    for _, bound in function.calls_by_block:
        if bound.dotted not in NEW_ARRAYS or _is_of_bytes(function, bound.call.argument(1, "dtype")):
            continue
        shape = bound.call.argument(0, "shape")
        count = None if shape is None else _count(function, shape)
        if count is not None:
            yield CountOfBytes(function, bound.call, count)


def _counts_elements(call: ir.Call) -> bool:
    return isinstance(call.func, ir.Attribute) and call.func.attr in ("Get_count", "Get_elements") and bool(call.args)


def _is_of_bytes(function: Function, dtype: ir.Expression | None) -> bool:
    """Whether the elements of an array may be bytes; without a dtype they are floats of eight bytes."""
    if dtype is None:
        return False
    text = function.module.source(dtype.span)
    return isinstance(dtype, ir.Name) or any(word in text for word in _BYTES)


def _count(function: Function, shape: ir.Expression) -> ir.Call | None:
    """The count without a datatype that is the length of an array."""
    if isinstance(shape, ir.Name):
        found = visible_definitions(function, shape.id)
        if found is None or found[0] is not function or len(found[1]) != 1:
            return None
        shape = found[1][0]
    if not isinstance(shape, ir.Call) or shape.args or not isinstance(shape.func, ir.Attribute):
        return None
    return shape if shape.func.attr == "Get_count" else None
