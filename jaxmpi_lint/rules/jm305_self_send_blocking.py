"""JM305: blocking message of a rank to itself."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class SelfSendBlocking(Rule):
    """Blocking message of a rank to itself.

    ## What it does
    Reports a rank that blocks in a send to itself, or in a receive from itself, and can therefore never execute the
    call that matches it.

    ## Why is this bad?
    The rank waits for its own next call: a deadlock. If MPI buffers the message, a send returns, and the program stops
    with larger messages or with a different MPI library.

    ## Example
    ```python
    for peer in range(comm.size):
        comm.Send(table, dest=peer)
    comm.Recv(copy, source=0)
    ```

    ## Use instead
    ```python
    for peer in range(1, comm.size):
        comm.Send(table, dest=peer)
    ```

    ## Confidence
    High: ranks and constants determine the messages. Reported only for numbers of ranks that the program is made for:
    with constant peers every number of ranks must show the defect. A warning where a buffered message would let the
    program end, as most MPI libraries do with small ones.

    ## Known false negatives
    Functions that no script of the project calls; programs in which an unknown call may communicate; jobs with more
    than four ranks.

    ## References
    MPI 4.1, section 3.2.4: a process may send to itself, which can deadlock with blocking calls. Runtime checks: JS201,
    JS203.
    """

    code = "JM305"
    name = "self-send-blocking"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS201", "JS203")

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        request = comm.isend(comm.rank, dest=comm.rank)
        value = comm.recv(source=comm.rank)
        request.wait()
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        value = comm.sendrecv(comm.rank, dest=comm.rank, source=comm.rank)
        if comm.rank == 0:
            for peer in range(1, comm.size):
                comm.send(value, dest=peer)
        else:
            value = comm.recv(source=0)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            for peer in range(comm.size):
                comm.ssend(peer, dest=peer)  #! JM305
        value = comm.recv(source=0)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        root = 0
        if comm.rank == root:
            values = [comm.recv(source=peer) for peer in range(comm.size)]  #! JM305
        else:
            comm.send(comm.rank, dest=root)
        """,
    )
