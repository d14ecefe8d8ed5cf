"""JM311: deadlock of point-to-point messages."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class MessageDeadlock(Rule):
    """Deadlock of point-to-point messages.

    ## What it does
    Reports ranks each of which waits in a receive, a synchronous send or a `Wait` for a message of the next one,
    although MPI buffers every other send. Where each rank leaves a loop by a test of a per-process value, such as its
    residual or the number of iterations without progress, the finding is at the test. Where a rank handles a failure
    and sends no answer, it is at the receive that waits.

    ## Why is this bad?
    No rank of the cycle can continue. The job hangs until it is killed.

    ## Example
    ```python
    value = comm.recv(source=left)
    comm.send(value, dest=right)
    ```

    ## Use instead
    ```python
    if comm.rank == 0:
        comm.send(value, dest=right)
        value = comm.recv(source=left)
    else:
        value = comm.recv(source=left)
        comm.send(value, dest=right)
    ```

    ## Confidence
    High: ranks and constants determine the messages. Medium for tests of per-process values, and for handlers. Reported
    only for numbers of ranks that the program is made for: with constant peers every number of ranks must show the
    defect.

    ## Known false negatives
    Receives from any source and probes of messages are followed in one order only. Functions that no script of the
    project calls; programs in which an unknown call may communicate; jobs with more than four ranks.

    ## References
    MPI 4.1, section 3.5 (semantics of point-to-point communication). Runtime check: JS201.
    """

    code = "JM311"
    name = "message-deadlock"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS201",)

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        if comm.rank == 0:
            comm.send(comm.rank, dest=right)
            value = comm.recv(source=left)
        else:
            value = comm.recv(source=left)
            comm.send(value, dest=right)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        request = comm.irecv(source=left)
        comm.send(comm.rank, dest=right)
        value = request.wait()
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        value = comm.recv(source=left)  #! JM311
        comm.send(comm.rank, dest=right)
        """,
        """
        from mpi4py import MPI


        def ask(comm, peer):
            answer = comm.irecv(source=peer).wait()  #! JM311
            comm.send("question", dest=peer)
            return answer


        if __name__ == "__main__":
            world = MPI.COMM_WORLD
            if world.Get_rank() in (0, 1):
                ask(world, 1 - world.Get_rank())
        """,
    )
