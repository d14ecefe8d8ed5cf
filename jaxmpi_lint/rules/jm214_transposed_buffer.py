"""JM214: transposed view as buffer."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class TransposedBuffer(Rule):
    """Transposed view as buffer.

    ## What it does
    Reports a transposed array (`a.T`, `np.transpose(a)`) that is sent, if the receive buffer is a new array in C order
    and its indices are meant to be those of the view: in `Alltoall`; in a message or a broadcast to an array of the
    same shape; and where a part of a scatter or gather has rows of the same length. Also an array of shape
    `(rows, columns)` that is reshaped to `(size, rows, columns // size)` for `Alltoall` or `mpi4jax.alltoall`.

    ## Why is this bad?
    Transposing an array changes the order of its indices and not its memory, and MPI sends memory. What arrives is the
    array before it was transposed, in the shape of the receive buffer: the elements are in wrong places, and nothing
    fails. A reshape keeps the order of the memory too: its blocks hold whole rows, where blocks of columns are meant.

    ## Example
    ```python
    received = np.empty((columns, rows))
    comm.Alltoall(block.T, received)
    ```

    ## Use instead
    ```python
    received = np.empty((columns, rows))
    comm.Alltoall(np.ascontiguousarray(block.T), received)
    ```

    ## Confidence
    Medium: shapes and orders of both buffers are known. Silent for arrays that are made in Fortran order, and for
    receivers of other shapes: one of columns is often made for the memory of an array in Fortran order.

    ## Known false negatives
    Arrays of unknown shape; views whose axes are exchanged otherwise, which mpi4py refuses; derived datatypes.

    ## References
    numpy, user guide: internal memory layout of arrays. mpi4py, tutorial: buffers are contiguous memory.
    """

    code = "JM214"
    name = "transposed-buffer"
    severity = Severity.WARNING

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        block = np.arange(12.0).reshape(4, 3) + comm.rank
        received = np.empty((comm.size, 3, 4))
        comm.Allgather(np.ascontiguousarray(block.T), received)
        comm.Allgather(block.T, np.empty((comm.size, 4, 3)))
        columns = np.zeros((4, 2 * comm.size), order="F")
        comm.Alltoall(columns, np.empty((2 * comm.size, 4)))
        total = np.empty((3, 4), order="F")
        comm.Allreduce(block.T, total)
        if comm.rank == 0:
            comm.Send(block.T, dest=1)
            comm.Send(np.arange(16.0).reshape(4, 4).T, dest=1)
        elif comm.rank == 1:
            comm.Recv(np.empty((4, 3)), source=0)
            comm.Recv(np.empty((4, 4)), source=0)
        rows = np.empty((2, 3))
        comm.Scatter(np.arange(6.0 * comm.size).reshape(2 * comm.size, 3), rows, root=0)
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rows = 4 * comm.size
        block = np.arange(3.0 * rows).reshape(3, rows) + comm.rank
        received = np.empty((comm.size, 4, 3))
        comm.Alltoall(block.T, received)  #! JM214
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        table = np.array([np.arange(4.0 * comm.size), np.ones(4 * comm.size)]).T if comm.rank == 0 else None
        rows = np.empty((4, 2))
        comm.Scatter(table, rows, root=0)  #! JM214
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.Send(np.arange(12.0).reshape(3, 4).T, dest=1)  #! JM214
        elif comm.rank == 1:
            comm.Recv(np.empty((4, 3)), source=0)
        """,
    )
