"""JM304: exchange that relies on buffered sends."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class UnsafeSendOrder(Rule):
    """Exchange that relies on buffered sends.

    ## What it does
    Reports ranks each of which sends to a rank that also sends before it receives, so that the sends form a cycle.

    ## Why is this bad?
    A blocking send may wait until the message is received. MPI libraries buffer small messages, so the exchange works
    in tests. It deadlocks with larger messages, or with a different MPI library.

    ## Example
    ```python
    comm.Send(cells, dest=right)
    comm.Recv(halo, source=left)
    ```

    ## Use instead
    ```python
    comm.Sendrecv(cells, dest=right, recvbuf=halo, source=left)
    ```

    ## Confidence
    Medium: whether MPI buffers the messages is not known. Reported only for numbers of ranks that the program is made
    for: with constant peers every number of ranks must show the defect. Low where a library without a model says which
    ranks send.

    ## Known false negatives
    Functions that no script of the project calls; programs in which an unknown call may communicate; jobs with more
    than four ranks.

    ## References
    MPI 4.1, section 3.5: a program that relies on buffering is unsafe. Runtime check: JS203.
    """

    code = "JM304"
    name = "unsafe-send-order"
    severity = Severity.WARNING
    in_tests = Severity.INFO
    sanitizer = ("JS203",)

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        value = comm.sendrecv(comm.rank, dest=right, source=left)
        request = comm.isend(value, dest=right)
        value = comm.recv(source=left)
        request.wait()
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        if comm.rank % 2 == 0:
            comm.send(comm.rank, dest=right)
            value = comm.recv(source=left)
        else:
            value = comm.recv(source=left)
            comm.send(comm.rank, dest=right)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        comm.send(comm.rank, dest=right)  #! JM304
        value = comm.recv(source=left)
        """,
        """
        from mpi4py import MPI


        def swap(comm, value, peer):
            comm.send(value, dest=peer)  #! JM304
            return comm.recv(source=peer)


        if __name__ == "__main__":
            world = MPI.COMM_WORLD
            if world.rank < 2:
                swap(world, world.rank, 1 - world.rank)
        """,
    )
