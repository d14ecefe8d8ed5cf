"""JM312: receive without a matching send."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class UnmatchedReceive(Rule):
    """Receive without a matching send.

    ## What it does
    Reports a rank that waits in a receive for a message of ranks that end without sending it.

    ## Why is this bad?
    The rank waits forever, and the job hangs although the other ranks have ended.

    ## Example
    ```python
    if comm.rank == 0:
        for source in range(comm.size):
            total += comm.recv(source=MPI.ANY_SOURCE)
    else:
        comm.send(value, dest=0)
    ```

    ## Use instead
    ```python
    if comm.rank == 0:
        for source in range(1, comm.size):
            total += comm.recv(source=MPI.ANY_SOURCE)
    else:
        comm.send(value, dest=0)
    ```

    ## Confidence
    High: ranks and constants determine the messages. Reported only for numbers of ranks that the program is made for:
    with constant peers every number of ranks must show the defect.

    ## Known false negatives
    Functions that no script of the project calls; programs in which an unknown call may communicate; jobs with more
    than four ranks.

    ## References
    MPI 4.1, section 3.5 (semantics of point-to-point communication). Runtime check: JS202.
    """

    code = "JM312"
    name = "unmatched-receive"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS202",)

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            values = [comm.recv(source=MPI.ANY_SOURCE) for _ in range(comm.size - 1)]
        else:
            comm.send(comm.rank, dest=0)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        left = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        right = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
        value = comm.recv(source=left)
        comm.send(comm.rank, dest=right)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            values = [comm.recv(source=MPI.ANY_SOURCE) for _ in range(comm.size)]  #! JM312
        else:
            comm.send(comm.rank, dest=0)
        """,
        """
        from mpi4py import MPI


        def work(comm):
            task = comm.recv(source=0)  #! JM312
            return task


        def main():
            comm = MPI.COMM_WORLD
            if comm.rank == 0:
                for worker in range(1, comm.size - 1):
                    comm.send("task", dest=worker)
            else:
                work(comm)


        main()
        """,
    )
