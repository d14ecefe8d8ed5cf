"""JM321: number of bytes as number of elements."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4py.counts_of_bytes import counts_of_bytes
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class CountOfBytes(CheckRule):
    """Number of bytes as number of elements.

    ## What it does
    Reports an array that is made with the length `status.Get_count()`, without a datatype, for elements of several
    bytes.

    ## Why is this bad?
    The default datatype of `Get_count` is `MPI.BYTE`. An array of doubles is eight times too long then: the message
    fills its first part only, and what comes after it is taken for data.

    ## Example
    ```python
    comm.Probe(source=MPI.ANY_SOURCE, status=status)
    values = np.empty(status.Get_count())
    ```

    ## Use instead
    ```python
    comm.Probe(source=MPI.ANY_SOURCE, status=status)
    values = np.empty(status.Get_count(MPI.DOUBLE))
    ```

    ## Confidence
    High: nothing is passed to `Get_count`, and the elements of the array are larger. Silent for a dtype in a variable,
    and in functions that also count the elements.

    ## Known false negatives
    Counts that a function returns.

    ## References
    mpi4py, `MPI.Status.Get_count`.
    """

    code = "JM321"
    name = "count-of-bytes"
    severity = Severity.WARNING
    detect = in_communicating(counts_of_bytes)
    message = "`{d.text}` counts bytes, and the array has as many elements"
    remedy = "pass the datatype: `status.Get_count(MPI.DOUBLE)`"

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        status = MPI.Status()
        if comm.rank == 0:
            comm.Send(np.ones(3), dest=1)
            comm.Send([np.ones(3, dtype="B"), MPI.BYTE], dest=1)
        elif comm.rank == 1:
            comm.Probe(source=0, status=status)
            values = np.empty(status.Get_count(MPI.DOUBLE))
            comm.Recv(values, source=0)
            comm.Probe(source=0, status=status)
            raw = np.empty(status.Get_count(), dtype="B")
            comm.Recv([raw, MPI.BYTE], source=0)
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.Send(np.ones(3), dest=1)
        elif comm.rank == 1:
            status = MPI.Status()
            comm.Probe(source=0, status=status)
            count = status.Get_count()
            values = np.empty(count)  #! JM321
            comm.Recv(values, source=0)
        """,
    )
