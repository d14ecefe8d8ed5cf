"""JM207: buffer whose elements are not contiguous."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4py.blocks_as_buffers import blocks_as_buffers
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class StridedBuffer(CheckRule):
    """Buffer whose elements are not contiguous.

    ## What it does
    Reports a column `a[:, 0]`, a part `a[::2]` or another view with gaps as the buffer of an upper-case method: of
    `Send`, `Recv`, `Sendrecv`, and of collectives.

    ## Why is this bad?
    mpi4py accepts contiguous memory only and raises `BufferError` (before mpi4py 4 `ValueError`). If only some ranks
    make the call, the others wait for them.

    ## Example
    ```python
    comm.Send(field[:, -2], dest=right)
    comm.Recv(field[:, 0], source=left)
    ```

    ## Use instead
    ```python
    comm.Send(np.ascontiguousarray(field[:, -2]), dest=right)
    column = np.empty(field.shape[0])
    comm.Recv(column, source=left)
    field[:, 0] = column
    ```

    A derived datatype (`MPI.DOUBLE.Create_vector`) on the contiguous array avoids the copies.

    ## Confidence
    High: the shape of the array and the part are known. Medium for blocks `a[i:j, k:l]` of an array of unknown shape,
    which may be as wide as the array. Rows, blocks of rows and transposed arrays are contiguous. Silent for messages to
    and from `MPI.PROC_NULL`, whose buffers mpi4py does not look at, and for such blocks of
    parameters and fields in files that use JAX, HDF5 or other libraries in which a block is a new array.

    ## Known false negatives
    Columns `a[:, 0]` of arrays whose shape is not known: the array may have one column, or be stored by columns.

    ## References
    mpi4py, tutorial: buffers of array-like objects. Python, PEP 3118.
    """

    code = "JM207"
    name = "strided-buffer"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    detect = in_communicating(blocks_as_buffers)
    message = "`{d.method}` is passed `{d.text}`, which has gaps between its rows: it raises `BufferError`"
    remedy = "pass `np.ascontiguousarray(...)` to send, and receive into a new array"
    variants: ClassVar = {"block": Variant()}

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        field = np.zeros((4, 6))
        comm.Bcast(field[1], root=0)
        comm.Bcast(field[1:3], root=0)
        comm.Bcast(field.T, root=0)
        comm.Bcast(field[2:3, 1:4], root=0)
        comm.Allreduce(np.ascontiguousarray(field[::2]), np.empty((2, 6)))
        column = MPI.DOUBLE.Create_vector(4, 1, 6).Commit()
        comm.Bcast([field, 1, column], root=0)
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        field = np.zeros((4, 6))
        if comm.rank == 0:
            comm.Send(field[:, -2], dest=1)  #! JM207
        elif comm.rank == 1:
            column = np.empty(4)
            comm.Recv(column, source=0)
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        values = np.full(10, float(comm.rank))
        total = np.empty(5)
        comm.Allreduce(values[::2], total)  #! JM207
        """,
    )
