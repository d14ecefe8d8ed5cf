"""JM313: send without a matching receive."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class UnmatchedSend(Rule):
    """Send without a matching receive.

    ## What it does
    Reports a message that no rank has received when all ranks have ended.

    ## Why is this bad?
    The data is lost. If MPI does not buffer the message, the sender waits forever, in the send or in `MPI_Finalize`.

    ## Example
    ```python
    if comm.rank == 0:
        for worker in range(comm.size):
            comm.send(task, dest=worker)
    else:
        task = comm.recv(source=0)
    ```

    ## Use instead
    ```python
    if comm.rank == 0:
        for worker in range(1, comm.size):
            comm.send(task, dest=worker)
    else:
        task = comm.recv(source=0)
    ```

    ## Confidence
    Medium: the program may still end. Reported only for numbers of ranks that the program is made for: with constant
    peers every number of ranks must show the defect.

    ## Known false negatives
    Functions that no script of the project calls; programs in which an unknown call may communicate; jobs with more
    than four ranks.

    ## References
    MPI 4.1, section 3.5 and section 11.2.2: all communication must be completed before `MPI_Finalize`. Runtime checks:
    JS205, JS202.
    """

    code = "JM313"
    name = "unmatched-send"
    severity = Severity.WARNING
    in_tests = Severity.INFO
    sanitizer = ("JS205", "JS202")

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
        comm.send(comm.rank, dest=right)
        if comm.rank > 0:
            value = comm.recv(source=comm.rank - 1)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            for worker in range(1, comm.size):
                comm.send("stop", dest=worker)
        else:
            while comm.recv(source=0) != "stop":
                pass
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            for worker in range(comm.size):
                comm.send("task", dest=worker)  #! JM313
        else:
            task = comm.recv(source=0)
        """,
        """
        from mpi4py import MPI


        def report(comm, text):
            comm.isend(text, dest=0).wait()  #! JM313


        if __name__ == "__main__":
            world = MPI.COMM_WORLD
            if world.rank == 1:
                report(world, "first")
                report(world, "second")
            elif world.rank == 0:
                print(world.recv(source=1))
        """,
    )
