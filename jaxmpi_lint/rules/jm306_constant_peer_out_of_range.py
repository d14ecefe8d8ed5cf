"""JM306: message to or from a rank that does not exist."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class ConstantPeerOutOfRange(Rule):
    """Message to or from a rank that does not exist.

    ## What it does
    Reports a send or receive whose computed peer is not a rank of the communicator: `rank + 1` on the last rank,
    `rank - 1` as the destination on rank 0, a loop that ends one rank too late. Also such a neighbour in
    `Create_dist_graph_adjacent`.

    ## Why is this bad?
    The call raises an exception on the rank at the border, usually after the other ranks have begun to wait for it.

    ## Example
    ```python
    comm.send(value, dest=comm.rank + 1)
    if comm.rank > 0:
        value = comm.recv(source=comm.rank - 1)
    ```

    ## Use instead
    ```python
    right = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
    comm.send(value, dest=right)
    if comm.rank > 0:
        value = comm.recv(source=comm.rank - 1)
    ```

    ## Confidence
    High: ranks and constants determine the messages. Reported only for numbers of ranks that the program is made for:
    with constant peers every number of ranks must show the defect. Medium where a larger number of ranks works: a tree
    of ranks that is complete for powers of two only; silent if the file says that it is for such numbers. Low where
    a library without a model says which ranks make the call. Silent where a handler for `MPI.Exception` lets the
    program continue.

    ## Known false negatives
    A source of -1, which mpi4py may use as `MPI.ANY_SOURCE` or `MPI.PROC_NULL`. Functions that no script of the project
    calls; programs in which an unknown call may communicate; jobs with more than four ranks.

    ## References
    MPI 4.1, section 3.2.3 (message envelope) and section 3.11 (null processes). Runtime check: JS304.
    """

    code = "JM306"
    name = "constant-peer-out-of-range"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS304",)

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
        left = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        value = comm.sendrecv(comm.rank, dest=right, source=left)
        print(value)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank + 1 < comm.size:
            comm.send(comm.rank, dest=comm.rank + 1)
        if comm.rank > 0:
            value = comm.recv(source=comm.rank - 1)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        comm.send(comm.rank, dest=comm.rank + 1)  #! JM306
        if comm.rank > 0:
            value = comm.recv(source=comm.rank - 1)
        """,
        """
        from mpi4py import MPI


        def collect(comm):
            if comm.rank == 0:
                return [comm.recv(source=source) for source in range(1, comm.size + 1)]  #! JM306
            return comm.send(comm.rank, dest=0)


        collect(MPI.COMM_WORLD)
        """,
    )
