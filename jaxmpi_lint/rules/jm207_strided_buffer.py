"""JM207: buffer whose elements are not contiguous."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class StridedBuffer(Rule):
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
    High: the shape of the array and the part are known. Rows, blocks of rows and transposed arrays are contiguous.
    Silent for messages to and from `MPI.PROC_NULL`, whose buffers mpi4py does not look at.

    ## Known false negatives
    Arrays whose shape is not known. Functions that no script of the project calls.

    ## References
    mpi4py, tutorial: buffers of array-like objects. Python, PEP 3118.
    """

    code = "JM207"
    name = "strided-buffer"
    severity = Severity.ERROR
    in_tests = Severity.WARNING

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
