"""JM205: mismatch between MPI datatype and array dtype."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4py.datatype_mismatches import datatype_mismatches, right_datatypes
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class DatatypeMismatch(CheckRule):
    """Mismatch between MPI datatype and array dtype.

    ## What it does
    Reports upper-case mpi4py calls whose buffer is written as `[array, MPI.TYPE]`, with or without counts, if
    `MPI.TYPE` is not the type of the array's elements: `MPI.FLOAT` (single precision) for numpy's default `float64`,
    `MPI.INT` (32 bits) for its default `int64`.

    ## Why is this bad?
    MPI relies on the datatype. A reduction adds up halves of numbers and reports success: the sum of 1 + 2 and 2 + 2
    comes out as 384 and 512. A pure transfer moves the right bytes if no count is given and the other side names the
    same wrong datatype. With a count, it moves only a part of them, or more than there are, and it does not match a
    side that names the correct datatype.

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

    ## Confidence
    High: the dtype follows from numpy constructors with a known `dtype`, from `astype`, `*_like`, copies and slices.
    The severity is error for reductions, warning for transfers and for reductions of integers in halves, or as
    floating-point numbers of their size, which are right for small numbers that are not negative, and info for
    transfers without counts whose sides name the same datatype: all bytes arrive. Not reported if the dtype is unknown,
    for `MPI.BYTE`, for derived datatypes, for one-byte types, for complex numbers described as pairs of real numbers,
    and for sums and products of integers that differ only in having a sign.

    ## Known false negatives
    Arrays from parameters or other modules; different datatypes on the two sides of a message.

    ## References
    MPI 4.1, section 3.3 (data type matching) and section 6.9.2 (predefined reduction operations). numpy: default types.
    Sizes are those of LP64 platforms.
    """

    code = "JM205"
    name = "datatype-mismatch"
    severity = Severity.ERROR
    sanitizer = ("JS105", "JS106", "JS110", "JS206")
    fix = Applicability.SAFE
    detect = in_communicating(datatype_mismatches)
    repair = right_datatypes
    message = "`{d.method}` computes wrong values: {d.difference}"
    remedy = "{d.advice}"
    variants: ClassVar = {
        "halves": Variant(
            "`{d.method}` computes wrong values from large or negative numbers: {d.difference}",
            severity=Severity.WARNING,
        ),
        "transfer": Variant(
            "`{d.method}` describes elements of a different size or kind: {d.difference}", severity=Severity.WARNING
        ),
        "whole": Variant(
            "`{d.method}` moves all bytes, as elements of a different size or kind: {d.difference}",
            severity=Severity.INFO,
        ),
    }

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
