"""JM316: invalid tag of a message."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class InvalidTag(Rule):
    """Invalid tag of a message.

    ## What it does
    Reports a send or receive with a negative tag other than `MPI.ANY_TAG` in a receive, or with a tag that is larger
    than every `MPI.TAG_UB`.

    ## Why is this bad?
    The call raises an exception, and the peer waits for the message.

    ## Example
    ```python
    comm.send(value, dest=right, tag=comm.rank - 1)
    ```

    ## Use instead
    ```python
    comm.send(value, dest=right, tag=comm.rank)
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process.

    ## Known false negatives
    Tags between 32767, which every MPI library permits, and the limit of the library in use. Functions that no script
    of the project calls; programs in which an unknown call may communicate; jobs with more than four ranks.

    ## References
    MPI 4.1, section 3.2.3 (message envelope) and section 9.1.2 (tag values). Runtime check: JS304.
    """

    code = "JM316"
    name = "invalid-tag"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS304",)

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        request = comm.isend(comm.rank, dest=right, tag=comm.rank)
        value = comm.recv(source=left, tag=MPI.ANY_TAG if comm.rank == 0 else left)
        request.wait()
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.send("last", dest=1, tag=32767)
        elif comm.rank == 1:
            text = comm.recv(source=0, tag=32767)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        request = comm.isend(comm.rank, dest=right, tag=comm.rank - 1)  #! JM316
        value = comm.recv(source=left, tag=left - 1)
        request.wait()
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        TAG = 1 << 40
        if comm.rank == 0:
            comm.send("text", dest=1, tag=TAG)  #! JM316
        elif comm.rank == 1:
            text = comm.recv(source=0, tag=7)
        """,
    )
