"""Calls that name an MPI datatype that does not match the dtype of the array they pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.buffer_specs import Specification, datatype_of, specification
from jaxmpi_lint.analysis.arrays.numpy_dtype_flow import ArrayTypes
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.constants import Constant, constant

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment
    from jaxmpi_lint.library.model import Operation

_PREFERRED = {
    "float64": "DOUBLE",
    "float32": "FLOAT",
    "int64": "INT64_T",
    "int32": "INT32_T",
    "int16": "INT16_T",
    "int8": "INT8_T",
    "uint64": "UINT64_T",
    "uint32": "UINT32_T",
    "uint16": "UINT16_T",
    "uint8": "UINT8_T",
    "bool": "C_BOOL",
    "complex64": "C_FLOAT_COMPLEX",
    "complex128": "C_DOUBLE_COMPLEX",
}
_SINGLE_BYTE = frozenset({"int8", "uint8", "bool", "S1", "bytes"})
_OF_DENORMAL = frozenset({"SUM", "MAX", "MIN"})
"""Operators that give the right bits of small integers if these are taken for floating-point numbers."""

_SIGNLESS = frozenset({"SUM", "PROD", "BAND", "BOR", "BXOR", "REPLACE"})
"""Operators that give the same bits for integers of one size with and without a sign."""

_PARTS = frozenset({("complex128", "float64"), ("complex64", "float32")})


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One buffer of a call: the dtype of the array, and the datatype that is ``named``."""

    spec: Specification
    named: ir.Expression
    dtype: str
    datatype: Constant

    @property
    def wanted(self) -> str | None:
        """The datatype of the array's elements."""
        return _PREFERRED.get(self.dtype)


@dataclass(frozen=True, slots=True)
class MismatchedCall:
    """A call and its wrong buffers, of ``every`` buffer that names a datatype.

    A ``reduction`` computes with them, on ``halves`` of integers in all of each buffer; a ``transfer`` only moves them;
    ``whole`` if all of each buffer is moved. What a user-defined operator takes them for is not known.
    """

    function: Function
    operation: Operation
    found: tuple[Mismatch, ...]
    every: tuple[Specification, ...]
    operator: str = ""

    @property
    def kind(self) -> str:
        """What is done with the elements."""
        if self.operation.reduction is not None and self.operator:
            is_right_for_small = self._are_integers or self._are_denormal
            return "halves" if self._is_whole and is_right_for_small else "reduction"
        return "whole" if self._is_whole else "transfer"

    @property
    def _are_integers(self) -> bool:
        """Whether parts of small numbers that are not negative are such numbers, on little-endian machines."""
        dtypes = {dtype or "" for one in self.found for dtype in (one.dtype, one.datatype.dtype)}
        return all("int" in dtype for dtype in dtypes)

    @property
    def _are_denormal(self) -> bool:
        """Whether small integers that are not negative are added or compared as denormal numbers of their size."""
        pairs = [(one.dtype, one.datatype.dtype or "") for one in self.found]
        return self.operator in _OF_DENORMAL and all(
            "int" in dtype and named.startswith("float") and _bytes(dtype) == _bytes(named) for dtype, named in pairs
        )

    @property
    def is_exact(self) -> bool:
        """Whether a reduction may give the same bits with both types, which are of one size.

        It does for integers with and without a sign, and if a user-defined operator knows what the elements are.
        """
        sizes_agree = all(_bytes(one.dtype) == _bytes(one.datatype.dtype or "") for one in self.found)
        is_own = self.operation.reduction is not None and not self.operator
        return sizes_agree and (is_own or (self.kind == "halves" and self._are_integers and self.operator in _SIGNLESS))

    @property
    def _is_whole(self) -> bool:
        """Whether the datatype divides each element, no count cuts a buffer, and both sides name the same datatype."""
        named = {self.function.module.source(spec.datatype.span) for spec in self.every if spec.datatype is not None}
        divides = all(_bytes(one.dtype) % _bytes(one.datatype.dtype or "") == 0 for one in self.found)
        return len(named) == 1 and divides and all(spec.count is None and not spec.displaced for spec in self.every)

    @property
    def place(self) -> Place:
        """The first wrong datatype."""
        return Place(self.function.module, self.found[0].named.span)

    @property
    def confidence(self) -> Confidence:
        """High: both are known."""
        return Confidence.HIGH

    @property
    def method(self) -> str:
        """The method that is called."""
        return self.operation.method

    @property
    def text(self) -> str:
        """The array, as it is written."""
        return self.function.module.source(self.found[0].spec.buffer.span)

    @property
    def difference(self) -> str:
        """What the array holds, and what the datatype is."""
        first = self.found[0]
        return f"`{self.text}` holds {first.dtype}, `MPI.{first.datatype.short}` is {first.datatype.dtype}"

    @property
    def advice(self) -> str:
        """What to pass."""
        wanted = self.found[0].wanted
        return f"name `MPI.{wanted}`, or pass `{self.text}` alone" if wanted else f"pass `{self.text}` alone"

    def steps(self) -> Iterator[Step]:
        """The wrong buffers."""
        for mismatch in self.found:
            message = f"elements are {mismatch.dtype}, not {mismatch.datatype.dtype}"
            yield Step(self.function.module, mismatch.spec.buffer.span, message)


def datatype_mismatches(function: Function) -> Iterator[MismatchedCall]:
    """Each call of a function that names a wrong datatype."""
    candidates = {bound.call.span: bound for bound in function.calls() if _names_datatypes(function, bound)}
    if not candidates:
        return
    flow = ArrayTypes(function)
    for _, step, env, types in flow.steps():
        if not isinstance(step, ir.Evaluate) or step.expression.span not in candidates:
            continue
        bound = candidates.pop(step.expression.span)
        found = []
        for spec, named in _specifications(bound):
            dtype, datatype = flow.dtype(spec.buffer, types, env), datatype_of(function, spec, env)
            if dtype is not None and datatype is not None and _differ(dtype, datatype):
                found.append(Mismatch(spec, named, dtype, datatype))
        if found:
            every = tuple(spec for spec, _ in _specifications(bound))
            call = MismatchedCall(function, bound.known_operation, tuple(found), every, _operator(function, bound, env))
            if not call.is_exact:
                yield call


def _operator(function: Function, bound: BoundCall, env: Environment) -> str:
    """The name of the predefined operator of a reduction; empty if it is not known."""
    given = bound.argument(bound.known_operation.reduction)
    if given is None:
        return "SUM"
    entity = function.value(given, env).entity
    operator = constant(entity.dotted) if isinstance(entity, Named) else None
    return operator.short if operator is not None and operator.type == "Op" else ""


def _specifications(bound: BoundCall) -> list[tuple[Specification, ir.Expression]]:
    """The buffers of a call that name their datatype, and what they name."""
    operation = bound.operation
    if operation is None or not operation.buffer or operation.method.endswith("w"):
        return []
    arguments = [bound.argument(name) for name in dict.fromkeys((*operation.sends, *operation.receives))]
    specs = [specification(argument) for argument in arguments]
    return [(spec, spec.datatype) for spec in specs if spec is not None and spec.datatype is not None]


def _names_datatypes(function: Function, bound: BoundCall) -> bool:
    return (
        bool(_specifications(bound))
        and is_mpi4py_call(function.project, bound)
        and not is_expected_to_fail(function.ir, bound.call.span)
    )


def _bytes(dtype: str) -> int:
    """The size of an element, from the number of bits in numpy's name of its type."""
    bits = "".join(filter(str.isdigit, dtype))
    return int(bits) // 8 if bits and dtype not in _SINGLE_BYTE else 1


def _differ(dtype: str, datatype: Constant) -> bool:
    equal = datatype.dtype
    if equal is None or equal in ("bytes", dtype) or (dtype, equal) in _PARTS:
        return False
    return not (dtype in _SINGLE_BYTE and equal in _SINGLE_BYTE)


def right_datatypes(call: MismatchedCall) -> Repair | None:
    """The fix: name the datatypes of the arrays; unsafe where a count was chosen for the wrong datatype."""
    edits: list[tuple[ir.Span, str]] = []
    for mismatch in call.found:
        named, wanted = mismatch.named, mismatch.wanted
        if not isinstance(named, ir.Attribute) or wanted is None:
            return None
        edits.append(((named.span[1] - len(named.attr), named.span[1]), wanted))
    safe = call.kind == "reduction" and all(mismatch.spec.count is None for mismatch in call.found)
    return Repair(Applicability.SAFE if safe else Applicability.UNSAFE, "name the datatype of the array", tuple(edits))
