"""JM214: transposed view as buffer."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class TransposedBuffer(Rule):
    """Transposed view as buffer.

    ## What it does
    Reports a transposed array (`a.T`, `np.transpose(a)`) that is sent as a buffer and received in an array in C order.

    ## Why is this bad?
    Transposing an array changes the order of its indices and not its memory, and MPI sends memory. What arrives is the
    array before it was transposed, in the shape of the receive buffer: the elements are in wrong places, and nothing
    fails.

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
    Medium: shapes and orders of both buffers are known. Silent where the receive buffer is in Fortran order too, and
    where its shape is that of the array before it was transposed.

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
        total = np.empty((3, 4), order="F")
        comm.Allreduce(block.T, total)
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        block = np.arange(12.0).reshape(4, 3) + comm.rank
        received = np.empty((comm.size, 3, 4))
        comm.Allgather(block.T, received)  #! JM214
        """,
    )
