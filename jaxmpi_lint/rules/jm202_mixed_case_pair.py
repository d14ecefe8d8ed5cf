"""JM202: send and receive of different kinds of messages."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class MixedCasePair(Rule):
    """Send and receive of different kinds of messages.

    ## What it does
    Reports a lower-case send (`send`, a pickled object) that is received by an upper-case call (`Recv`, a buffer), or
    the reverse, and a buffer that is received with a dtype different from that of the sender.

    ## Why is this bad?
    Both are messages for MPI and match. The receiver unpickles raw numbers, which raises an error or creates a wrong
    object, or its buffer holds the bytes of a pickle, or of a different dtype: a wrong result without an error.

    ## Example
    ```python
    if comm.rank == 0:
        comm.send(field, dest=1)
    else:
        comm.Recv(field, source=0)
    ```

    ## Use instead
    ```python
    if comm.rank == 0:
        comm.Send(field, dest=1)
    else:
        comm.Recv(field, source=0)
    ```

    ## Confidence
    High: ranks and constants determine the messages. Reported only for numbers of ranks that the program is made for:
    with constant peers every number of ranks must show the defect.

    ## Known false negatives
    An array that is handed to `irecv`, which `Wait` and `Test` fill without unpickling. Pairs of `bcast` and `Bcast`
    are reported as JM104. Functions that no script of the project calls; programs in which an unknown call may
    communicate; jobs with more than four ranks.

    ## References
    MPI 4.1, section 3.3.1 (type matching rules). mpi4py: communication of objects and of buffers. Runtime check: JS206.
    """

    code = "JM202"
    name = "mixed-case-pair"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS206",)

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.send(4, dest=1, tag=1)
            comm.Send(np.ones(4), dest=1, tag=2)
        elif comm.rank == 1:
            count = comm.recv(source=0, tag=1)
            values = np.empty(count)
            comm.Recv(values, source=0, tag=2)
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.Send([np.ones(4), MPI.DOUBLE], dest=1)
        elif comm.rank == 1:
            values = np.empty(4)
            comm.Recv(values, source=0)
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.send([1.0, 2.0], dest=1)
        elif comm.rank == 1:
            values = np.empty(2)
            comm.Recv(values, source=0)  #! JM202
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.Send(np.ones(4), dest=1, tag=7)
        elif comm.rank == 1:
            values = comm.recv(source=0, tag=7)  #! JM202
        """,
    )
