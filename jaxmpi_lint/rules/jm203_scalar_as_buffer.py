"""JM203: number or string as buffer."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4py.scalar_as_buffer import scalars_as_buffers
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class ScalarAsBuffer(CheckRule):
    """Number or string as buffer.

    ## What it does
    Reports a number, a string or a list of numbers as the buffer of an upper-case mpi4py call, such as
    `comm.Allreduce(count, total)` with two integers, or `comm.Send([1, 2, 3], dest=1)`.

    ## Why is this bad?
    Upper-case methods exchange memory. A Python number has no buffer: the call raises `TypeError` (for most lists
    `ValueError`) on every rank that executes it. Where other ranks pass an array, they wait for the ranks that failed.

    ## Example
    ```python
    count = len(rows)
    total = 0
    comm.Allreduce(count, total)
    ```

    ## Use instead
    ```python
    total = comm.allreduce(len(rows))
    ```

    ## Confidence
    High: the rule reports constants, ranks, sizes and results of `float`, `int`, `len`, `abs` and `round`, and
    lists that begin with a number. It does not report lists that begin with a buffer, which they specify, `None`,
    which is legal where a buffer is not significant, scalars of numpy, which have a buffer, and the buffer of the
    root in calls that other ranks make.

    ## Known false negatives
    Numbers that a calculation or a parameter provides; numbers inside of buffer specifications; short lists whose
    items may be scalars of numpy.

    ## References
    mpi4py documentation, "Communication of buffer-like objects".
    """

    code = "JM203"
    name = "scalar-as-buffer"
    severity = Severity.ERROR
    detect = in_communicating(scalars_as_buffers)
    message = "`{d.method}` needs a buffer, and `{d.text}` is a Python number or string"
    remedy = "use the lower-case method, or an array of one element"

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        count = np.array([comm.rank])
        total = np.zeros(1, dtype=count.dtype)
        comm.Allreduce(count, total)
        comm.Allreduce([count, MPI.INT64_T], [total, MPI.INT64_T])
        comm.Gather(count, None if comm.rank else np.empty(comm.size, dtype=count.dtype))
        print(comm.allreduce(comm.rank))
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        mine = np.zeros(3)
        if comm.rank == 0:
            comm.Gather(mine, np.zeros(3 * comm.size))
            comm.Scatter(np.zeros(3 * comm.size), mine)
        else:
            comm.Gather(mine, 0)
            comm.Scatter(0, mine)
        """,
        """
        from mpi4py import MPI

        def start(comm, values):
            total = 0
            total = total + values
            comm.Bcast(total)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        total = 0
        comm.Allreduce(comm.rank, total)  #! JM203
        comm.Bcast(5)  #! JM203
        """,
        """
        from mpi4py import MPI

        def announce(comm, rows):
            count = len(rows)
            comm.Send(count, dest=0)  #! JM203
            comm.Bcast("ready")  #! JM203
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        mine = np.zeros(3)
        if comm.rank == 0:
            comm.Gather(mine, 0)  #! JM203
        else:
            comm.Gather(0, None)  #! JM203
        """,
    )
