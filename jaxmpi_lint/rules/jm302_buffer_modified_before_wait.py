"""JM302: use of a buffer before its request is completed."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class BufferModifiedBeforeWait(Rule):
    """Use of a buffer before its request is completed.

    ## What it does
    Reports a write to the buffer of a pending non-blocking send, and a read or write of the buffer of a pending
    non-blocking receive, before the request is completed by `Wait`, `Waitall` or a successful `Test`.

    ## Why is this bad?
    MPI may read or write the buffer until the request is completed. The receiver gets a mixture of old and new values,
    or the program reads values that have not arrived. It depends on message sizes and timing.

    ## Example
    ```python
    request = comm.Isend(cells, dest=right)
    cells[:] = 0
    request.Wait()
    ```

    ## Use instead
    ```python
    request = comm.Isend(cells, dest=right)
    request.Wait()
    cells[:] = 0
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process. Disjoint
    parts of one array are different buffers: a count selects the first elements. Which elements a derived datatype
    selects is not known; such a request is reported where the program uses the whole array.

    ## Known false negatives
    Buffers that are modified by a call of an unknown library. Functions that no script of the project calls; programs
    in which an unknown call may communicate; jobs with more than four ranks.

    ## References
    MPI 4.1, section 3.7.2: a buffer must not be accessed until the operation completes.
    """

    code = "JM302"
    name = "buffer-modified-before-wait"
    severity = Severity.ERROR
    in_tests = Severity.WARNING

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        cells, halo = np.ones(4), np.empty(4)
        requests = [comm.Isend(cells, dest=right), comm.Irecv(halo, source=left)]
        copy = cells + 1
        MPI.Request.Waitall(requests)
        cells[:] = halo
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        cells = np.zeros(6)
        receive = comm.Irecv(cells[:1], source=left)
        cells[1] = 4.0
        comm.Send(cells[1:2], dest=right)
        receive.Wait()
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        cells, halo = np.ones(4), np.empty(4)
        request = comm.Isend(cells, dest=right)  #! JM302
        cells[0] = -1.0
        comm.Recv(halo, source=left)
        request.Wait()
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        halo = np.zeros(4)
        request = comm.Irecv(halo, source=left)  #! JM302
        comm.Send(np.ones(4), dest=right)
        total = halo.sum()
        request.Wait()
        """,
    )
