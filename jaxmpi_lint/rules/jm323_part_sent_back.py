"""JM323: part of an array that is sent back as it was received."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class PartSentBack(Rule):
    """Part of an array that is sent back as it was received.

    ## What it does
    Reports a message from a part of an array that the rank has received from the receiver of the message and not
    changed since, if the rank sends a different part of the array to other ranks.

    ## Why is this bad?
    In an exchange of borders, the rank sends its ghost cells instead of the border that it has computed. The receiver
    gets back what it has sent, so that no value ever crosses this border: the result is wrong, and nothing fails.

    ## Example
    ```python
    comm.Sendrecv(u[1], dest=up, recvbuf=u[-1], source=down)
    comm.Sendrecv(u[-1], dest=down, recvbuf=u[0], source=up)
    ```

    ## Use instead
    ```python
    comm.Sendrecv(u[1], dest=up, recvbuf=u[-1], source=down)
    comm.Sendrecv(u[-2], dest=down, recvbuf=u[0], source=up)
    ```

    ## Confidence
    Medium: a test of the network may send data back. Silent where a call sends such a part only sometimes.

    ## Known false negatives
    Arrays whose shape is not known; functions that no script of the project calls; jobs with more than four ranks.

    ## References
    MPI 4.1, section 3.10 (send-receive).
    """

    code = "JM323"
    name = "part-sent-back"
    severity = Severity.WARNING
    in_tests = "silent"  # they test messages with such data

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        up = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        down = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL
        u = np.full((30, 40), comm.rank + 1.0)
        for step in range(50):
            comm.Sendrecv(u[1], dest=up, sendtag=1, recvbuf=u[-1], source=down, recvtag=1)
            comm.Sendrecv(u[-2], dest=down, sendtag=2, recvbuf=u[0], source=up, recvtag=2)
            u[1:-1] = 0.5 * (u[2:] + u[:-2])
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        buffer = np.zeros(1000)
        for count in (1, 10, 100):
            part = buffer[:count]
            if comm.rank == 0:
                comm.Send(part, dest=1)
                comm.Recv(part, source=1)
            elif comm.rank == 1:
                comm.Recv(part, source=0)
                comm.Send(part, dest=0)
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        up = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        down = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL
        u = np.full((30, 40), comm.rank + 1.0)
        for step in range(50):
            comm.Sendrecv(u[1], dest=up, sendtag=1, recvbuf=u[-1], source=down, recvtag=1)
            comm.Sendrecv(u[-1], dest=down, sendtag=2, recvbuf=u[0], source=up, recvtag=2)  #! JM323
            u[1:-1] = 0.5 * (u[2:] + u[:-2])
        """,
    )
