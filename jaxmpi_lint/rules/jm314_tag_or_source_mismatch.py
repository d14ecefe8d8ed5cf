"""JM314: receive whose tag or source matches no message."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class TagOrSourceMismatch(Rule):
    """Receive whose tag or source matches no message.

    ## What it does
    Reports a rank that waits in a receive while a message for it has a different tag, or the same tag and a different
    source. And receives that take each other's messages where both neighbours are the same rank, as on a periodic ring
    of two ranks: the messages have one tag, and arrive in the order in which they were sent.

    ## Why is this bad?
    MPI matches a message only if communicator, source and tag are equal. The receiver waits forever, and the message
    stays in its queue.

    ## Example
    ```python
    if comm.rank == 0:
        comm.send(result, dest=1, tag=11)
    else:
        result = comm.recv(source=0, tag=12)
    ```

    ## Use instead
    ```python
    if comm.rank == 0:
        comm.send(result, dest=1, tag=11)
    else:
        result = comm.recv(source=0, tag=11)
    ```

    ## Confidence
    High: ranks and constants determine the messages; medium for messages that are swapped. Reported only for numbers of
    ranks that the program is made for: with constant peers every number of ranks must show the defect.

    ## Known false negatives
    Messages on a different communicator. Functions that no script of the project calls; programs in which an unknown
    call may communicate; jobs with more than four ranks.

    ## References
    MPI 4.1, section 3.2.3 (message envelope). Runtime checks: JS202, JS201.
    """

    code = "JM314"
    name = "tag-or-source-mismatch"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS202", "JS201")

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            for worker in range(1, comm.size):
                comm.send("task", dest=worker, tag=10 + worker)
        else:
            task = comm.recv(source=0, tag=10 + comm.rank)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            requests = [comm.isend("second", dest=1, tag=2), comm.isend("first", dest=1, tag=1)]
            MPI.Request.waitall(requests)
        elif comm.rank == 1:
            first = comm.recv(source=0, tag=1)
            second = comm.recv(source=0, tag=MPI.ANY_TAG)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.send("result", dest=1, tag=11)
        elif comm.rank == 1:
            result = comm.recv(source=0, tag=12)  #! JM314
        """,
        """
        from mpi4py import MPI

        REQUEST, ANSWER = 1, 2


        def serve(comm):
            for worker in range(1, comm.size):
                name = comm.recv(source=worker, tag=ANSWER)  #! JM314
                comm.send(name.upper(), dest=worker, tag=ANSWER)


        def work(comm):
            comm.send("name", dest=0, tag=REQUEST)
            return comm.recv(source=0, tag=ANSWER)


        if __name__ == "__main__":
            world = MPI.COMM_WORLD
            serve(world) if world.rank == 0 else work(world)
        """,
    )
