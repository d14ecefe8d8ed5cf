"""JM205."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.buffer_specs import Specification, datatype_of, specification
from jaxmpi_lint.analysis.arrays.numpy_dtype_flow import ArrayTypes
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Severity
from jaxmpi_lint.library.constants import Constant
from jaxmpi_lint.rules.base import Example, Finding, OperationRule, Repair, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

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
_PARTS = frozenset({("complex128", "float64"), ("complex64", "float32")})


@dataclass(frozen=True, slots=True)
class _Mismatch:
    spec: Specification
    dtype: str
    datatype: Constant


class DatatypeMismatch(OperationRule):
    """MPI datatype differs from the dtype of the array it describes.

    ## What it does
    Reports upper-case calls of mpi4py whose buffer is written as `[array, MPI.TYPE]`, with or without counts, where
    `MPI.TYPE` is another type than the array's elements have: `MPI.FLOAT` (single precision) for numpy's default
    `float64`, `MPI.INT` (32 bits) for its default `int64`.

    ## Why is this bad?
    MPI believes the datatype. A reduction adds up halves of numbers and reports success: the sum of 1 + 2 and 2 + 2
    comes out as 384 and 512. A pure transfer moves the right bytes if no count is given and the other side makes the
    same mistake; with a count it moves a part of them, or more than there are, and another side that names the true
    datatype does not match.

    ## Example
    ```python
    local = np.zeros(3)
    comm.Allreduce([local, MPI.FLOAT], [total, MPI.FLOAT], op=MPI.SUM)
    ```

    ## Use instead
    ```python
    local = np.zeros(3)
    comm.Allreduce(local, total, op=MPI.SUM)  # the datatype comes from the array; or name MPI.DOUBLE
    ```

    ## Fix safety
    Safe for reductions without counts: the fix names the datatype of the array. Unsafe for transfers, whose other side
    may name the same wrong datatype elsewhere, and with an explicit count, which may have been chosen for that type.

    ## How sure
    High: the dtype follows from constructors of numpy with visible `dtype`, `astype`, `*_like`, copies and slices.
    An error for reductions, a warning for transfers. Silent when the dtype is not visible, for `MPI.BYTE`, for derived
    datatypes, for types of one byte, and for complex numbers described as pairs of real ones.

    ## Known misses
    Arrays that come from parameters or other modules; datatypes of the two sides of a message that differ.

    ## References
    MPI 4.1, section 3.3 (data type matching) and section 6.9.2 (predefined reduction operations). numpy: default
    types. Sizes are those of LP64 platforms.
    """

    code = "JM205"
    name = "datatype-mismatch"
    severity = Severity.ERROR
    sanitizer = ("JS105", "JS106", "JS110", "JS206")
    fix = Applicability.SAFE

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        x, y = np.zeros(3), np.empty(3)
        comm.Allreduce([x, MPI.DOUBLE], [y, MPI.DOUBLE])
        """,
        """
        import numpy as np
        from mpi4py import MPI

        def raw(comm):
            z = np.zeros(4, dtype=complex)
            comm.Bcast([z, MPI.DOUBLE])
            comm.Bcast([np.zeros(4), MPI.BYTE])
            comm.Bcast([np.zeros(4, dtype=np.uint8), MPI.CHAR])
            comm.Gather([None, MPI.INT], [None, 0, MPI.INT])
        """,
    )
    INVALID = (
        Example(
            """
            import numpy as np
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            x = np.array([1.0, 2.0])
            total = np.zeros(2)
            comm.Allreduce([x, MPI.FLOAT], [total, MPI.FLOAT], op=MPI.SUM)  #! JM205
            """,
            """
            import numpy as np
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            x = np.array([1.0, 2.0])
            total = np.zeros(2)
            comm.Allreduce([x, MPI.DOUBLE], [total, MPI.DOUBLE], op=MPI.SUM)
            """,
        ),
        Example(
            """
            from numpy import full, zeros_like
            from mpi4py import MPI as mpi

            class Field:
                def __init__(self, comm):
                    self.comm = comm
                    self.values = full(8, 0.5)

                def sum(self):
                    result = zeros_like(self.values)
                    self.comm.Reduce((self.values, mpi.INT), (result, mpi.INT), root=0)  #! JM205
                    return result
            """,
            """
            from numpy import full, zeros_like
            from mpi4py import MPI as mpi

            class Field:
                def __init__(self, comm):
                    self.comm = comm
                    self.values = full(8, 0.5)

                def sum(self):
                    result = zeros_like(self.values)
                    self.comm.Reduce((self.values, mpi.DOUBLE), (result, mpi.DOUBLE), root=0)
                    return result
            """,
        ),
    )

    def check_function(self, function: Function) -> Iterator[Finding]:
        """One finding for each call that names a wrong datatype."""
        candidates = {bound.call.span: bound for bound in function.calls() if _names_datatypes(function, bound)}
        if not candidates:
            return
        flow = ArrayTypes(function)
        for _, step, env, types in flow.steps():
            if not isinstance(step, ir.Evaluate) or step.expression.span not in candidates:
                continue
            bound = candidates.pop(step.expression.span)
            found = []
            for spec in _specifications(bound):
                dtype, datatype = flow.dtype(spec.buffer, types, env), datatype_of(function, spec, env)
                if dtype is not None and datatype is not None and _differ(dtype, datatype):
                    found.append(_Mismatch(spec, dtype, datatype))
            if found:
                yield self._finding(function, bound, found)

    def _finding(self, function: Function, bound: BoundCall, found: list[_Mismatch]) -> Finding:
        module, operation = function.module, bound.operation
        assert operation is not None
        first = found[0]
        assert first.spec.datatype is not None
        text = module.source(first.spec.buffer.span)
        reduces = operation.reduction is not None
        what = "computes with wrong numbers" if reduces else "describes elements of another size or kind"
        steps = [
            Step(module, mismatch.spec.buffer.span, f"elements are {mismatch.dtype}, not {mismatch.datatype.dtype}")
            for mismatch in found
        ]
        wanted = _PREFERRED.get(first.dtype)
        return self.finding(
            module,
            first.spec.datatype.span,
            f"`{operation.method}` {what}: `{text}` holds {first.dtype}, `MPI.{first.datatype.short}` is "
            f"{first.datatype.dtype}",
            steps=tuple(steps),
            remedy=f"name `MPI.{wanted}`, or pass `{text}` alone" if wanted else f"pass `{text}` alone",
            repair=_repair(found, reduces),
            confidence=Confidence.HIGH,
            severity=self.severity if reduces else Severity.WARNING,
        )


def _specifications(bound: BoundCall) -> list[Specification]:
    operation = bound.operation
    if operation is None or not operation.buffer or operation.method.endswith("w"):
        return []
    arguments = [bound.argument(name) for name in dict.fromkeys((*operation.sends, *operation.receives))]
    specs = [specification(argument) for argument in arguments]
    return [spec for spec in specs if spec is not None and spec.datatype is not None]


def _names_datatypes(function: Function, bound: BoundCall) -> bool:
    return (
        bool(_specifications(bound))
        and is_mpi4py_call(function.project, bound)
        and not is_expected_to_fail(function.ir, bound.call.span)
    )


def _differ(dtype: str, datatype: Constant) -> bool:
    equal = datatype.dtype
    if equal is None or equal in ("bytes", dtype) or (dtype, equal) in _PARTS:
        return False
    return not (dtype in _SINGLE_BYTE and equal in _SINGLE_BYTE)


def _repair(found: list[_Mismatch], reduces: bool) -> Repair | None:
    edits: list[tuple[ir.Span, str]] = []
    for mismatch in found:
        expression, wanted = mismatch.spec.datatype, _PREFERRED.get(mismatch.dtype)
        if not isinstance(expression, ir.Attribute) or wanted is None:
            return None
        edits.append(((expression.span[1] - len(expression.attr), expression.span[1]), wanted))
    safe = reduces and all(mismatch.spec.count is None for mismatch in found)
    return Repair(Applicability.SAFE if safe else Applicability.UNSAFE, "name the datatype of the array", tuple(edits))
