"""JM315: message longer than its receive buffer."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class MessageTruncated(Rule):
    """Message longer than its receive buffer.

    ## What it does
    Reports a receive whose buffer has fewer elements than the message.

    ## Why is this bad?
    MPI raises `MPI_ERR_TRUNCATE` on the receiver, and the data is lost. A longer buffer than the message is correct.

    ## Example
    ```python
    if comm.rank == 0:
        comm.Send(np.ones(8), dest=1)
    else:
        comm.Recv(np.empty(4), source=0)
    ```

    ## Use instead
    ```python
    if comm.rank == 0:
        comm.Send(np.ones(8), dest=1)
    else:
        comm.Recv(np.empty(8), source=0)
    ```

    ## Confidence
    High: ranks and constants determine the messages. Reported only for numbers of ranks that the program is made for:
    with constant peers every number of ranks must show the defect. Arrays whose shape is not known exactly are not
    compared.

    ## Known false negatives
    Pickled objects that are longer than the buffer of `irecv`. Functions that no script of the project calls; programs
    in which an unknown call may communicate; jobs with more than four ranks.

    ## References
    MPI 4.1, section 3.2.4: a receive buffer must be at least as long as the message. Runtime check: JS206.
    """

    code = "JM315"
    name = "message-truncated"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS206",)

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.Send(np.ones(8), dest=1)
        elif comm.rank == 1:
            status = MPI.Status()
            values = np.empty(100)
            comm.Recv(values, source=0, status=status)
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        values = np.ones(8)
        if comm.rank == 0:
            comm.Send([values, 4, MPI.DOUBLE], dest=1)
        elif comm.rank == 1:
            comm.Recv([values, 4, MPI.DOUBLE], source=0)
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        values = np.ones(8)
        if comm.rank == 0:
            comm.Send([values, 8, MPI.DOUBLE], dest=1)
        elif comm.rank == 1:
            comm.Recv([values, 4, MPI.DOUBLE], source=0)  #! JM315
        """,
        """
        import numpy as np
        from mpi4py import MPI


        def exchange(comm, width):
            cells, halo = np.ones(width + 1), np.empty(width)
            right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
            comm.Sendrecv(cells, dest=right, recvbuf=halo, source=left)  #! JM315
            return halo


        exchange(MPI.COMM_WORLD, 4)
        """,
    )
