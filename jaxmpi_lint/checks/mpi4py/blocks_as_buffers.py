"""Blocks of arrays that leave gaps between their rows, passed to MPI as buffers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.buffer_specs import specification
from jaxmpi_lint.analysis.cfg.def_use import names_bound, visible_definitions
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.python.array_shapes import ARRAYS_BY_ROWS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_COPIES = re.compile(r"\b(?:jax|h5py|netCDF4|zarr|xarray|tables|dask|pandas|adios2)\b")
"""Libraries in whose arrays or datasets a block is a new array."""


@dataclass(frozen=True, slots=True)
class BlockAsBuffer:
    """A call and the block that it passes."""

    function: Function
    bound: BoundCall
    block: ir.Subscript
    kind: str = "block"

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: a block may be as wide as the array, or have one row."""
        return Confidence.MEDIUM

    @property
    def method(self) -> str:
        """The method of mpi4py."""
        return self.bound.known_operation.method

    @property
    def text(self) -> str:
        """The block, as it is written."""
        return " ".join(self.function.module.source(self.block.span).split())

    def steps(self) -> Iterator[Step]:
        """The block."""
        yield Step(self.function.module, self.block.span, "a part of each row: there are gaps between the parts")


def blocks_as_buffers(function: Function) -> Iterator[BlockAsBuffer]:
    """Each call of a function that passes such a block, directly or by a name."""
    seen: set[ir.Span] = set()
    for _, bound in function.calls_by_block:
        if bound.operation is None or not bound.operation.buffer or bound.call.span in seen:
            continue
        block = next(_blocks(function, bound), None)
        if block is None or is_expected_to_fail(function.ir, bound.call.span):
            continue
        if is_mpi4py_call(function.project, bound):
            seen.add(bound.call.span)
            yield BlockAsBuffer(function, bound, block)


def _blocks(function: Function, bound: BoundCall) -> Iterator[ir.Subscript]:
    operation = bound.known_operation
    for parameter in (*operation.sends, *operation.receives):
        found = specification(bound.argument(parameter))
        if found is None or found.count is not None:
            continue
        match found.buffer:
            case ir.Subscript() as part if _has_gaps(function, part):
                yield part
            case ir.Name(id=name):
                yield from _assigned(function, bound.call.span, name)


def _assigned(function: Function, call: ir.Span, name: str) -> Iterator[ir.Subscript]:
    """The blocks that a name may stand for where a call passes it."""
    for block in function.ir.blocks:
        for at, step in enumerate(block.steps):
            part = step.value if isinstance(step, ir.Assign) and name in names_bound(step) else None
            if not isinstance(part, ir.Subscript) or not _has_gaps(function, part):
                continue
            if _reaches(function, (block.index, at + 1), call, name):
                yield part


def _reaches(function: Function, start: tuple[int, int], call: ir.Span, name: str) -> bool:
    """Whether a path leads from a step to a call on which the name is not bound again."""
    stack, seen = [start], set[int]()
    while stack:
        index, first = stack.pop()
        block = function.ir.blocks[index]
        for step in block.steps[first:]:
            if isinstance(step, ir.Evaluate) and step.expression.span == call:
                return True
            if name in names_bound(step):
                break
        else:
            following = [one for one in block.successors if one < len(function.ir.blocks) and one not in seen]
            seen.update(following)
            stack += ((one, 0) for one in following)
    return False


# --- the block ---


def _has_gaps(function: Function, part: ir.Subscript) -> bool:
    """Whether there are gaps between the rows of ``array[rows, columns]``, whatever the lengths are."""
    if not isinstance(part.index, ir.Collection) or len(part.index.elements) != 2 or not _may_be_array(function, part):
        return False
    rows, columns = part.index.elements
    if not isinstance(rows, ir.Slice) or rows.step is not None or _is_one_row(function, rows):
        return False
    if isinstance(columns, ir.Slice):
        return _is_narrow(columns) and (_is_narrow(rows) or _is_made_by_rows(function, part.value))
    return _is_number(columns) and _is_made_by_rows(function, part.value)


def _may_be_array(function: Function, part: ir.Subscript) -> bool:
    """Whether a block is cut out of an array of numpy, or of a parameter or field that is no dataset of a library."""
    if not isinstance(part.value, (ir.Attribute, ir.Name)):
        return False
    found = visible_definitions(function, part.value.id) if isinstance(part.value, ir.Name) else None
    if found is None:
        return not _COPIES.search(function.module.text)
    calls = [found[0].bound(value) for value in found[1] if isinstance(value, ir.Call)]
    of_numpy = [call for call in calls if call is not None and (call.dotted or "").startswith("numpy.")]
    return len(of_numpy) == len(found[1])


def _is_narrow(part: ir.Slice) -> bool:
    """Whether a slice leaves something out at its beginning, or a number of elements at its end."""
    begins = part.lower is not None and not (isinstance(part.lower, ir.Constant) and part.lower.value in (0, None))
    return begins or isinstance(part.upper, ir.UnaryOperation)


def _is_one_row(function: Function, part: ir.Slice) -> bool:
    """Whether a slice is ``[i:i + 1]``, ``[:1]`` or ``[-1:]``."""
    source = function.module.source
    lower, upper = ("".join(source(one.span).split()) if one is not None else "" for one in (part.lower, part.upper))
    if lower.isdecimal() and upper.isdecimal():
        return int(upper) - int(lower) == 1
    return (lower, upper) in (("", "1"), ("-1", "")) or upper in (f"{lower}+1", f"1+{lower}")


def _is_number(index: ir.Expression) -> bool:
    match index:
        case ir.Constant(value=int()):
            return True
        case ir.UnaryOperation(operand=operand):
            return _is_number(operand)
    return False


def _is_made_by_rows(function: Function, array: ir.Expression) -> bool:
    """Whether an array of two axes is made in sight; the interpreter follows those whose lengths are constants."""
    found = visible_definitions(function, array.id) if isinstance(array, ir.Name) else None
    return found is not None and all(_makes_rows(found[0], value) for value in found[1])


def _makes_rows(scope: Function, value: ir.Expression) -> bool:
    made = scope.bound(value) if isinstance(value, ir.Call) else None
    if made is None or made.dotted not in ARRAYS_BY_ROWS or any(one.keyword == "order" for one in made.call.args):
        return False
    shape = made.call.argument(0, "shape")
    if not isinstance(shape, ir.Collection) or len(shape.elements) != 2:
        return False
    constants = [one.value for one in shape.elements if isinstance(one, ir.Constant)]
    return 1 not in constants and len(constants) < 2
