"""JM119: different or invalid roots in a collective."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class DifferentRoots(Rule):
    """Different or invalid roots in a collective.

    ## What it does
    Reports a rooted collective (`bcast`, `scatter`, `gather`, `reduce` and similar) that the ranks call with different
    roots, or with a root that is not a rank of the communicator.

    ## Why is this bad?
    All ranks must name the same root. With two roots, each rank waits for a rank that does not send, or two ranks send
    and one of them receives. With small messages the call often returns, with wrong data. A root out of range raises an
    exception.

    ## Example
    ```python
    nearest = 0 if comm.rank < comm.size // 2 else comm.size // 2
    settings = comm.bcast(settings, root=nearest)
    ```

    ## Use instead
    ```python
    settings = comm.bcast(settings, root=0)
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process. A root
    that depends on the rank in the call itself is reported as JM104.

    ## Known false negatives
    Functions that no script of the project calls; programs in which an unknown call may communicate; jobs with more
    than four ranks.

    ## References
    MPI 4.1, section 6.2.4: all members of the group name the same root. Runtime checks: JS103, JS304.
    """

    code = "JM119"
    name = "different-roots"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS103", "JS304")

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        last = comm.size - 1
        table = {"steps": 4} if comm.rank == last else None
        table = comm.bcast(table, root=last)
        print(table)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        lower = comm.Split(comm.rank // 2, comm.rank)
        root = 0 if comm.rank < 2 else lower.size - 1
        total = lower.reduce(comm.rank, root=root)
        print(total)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI


        def leader(comm):
            return 0 if comm.rank < comm.size // 2 else comm.size // 2


        comm = MPI.COMM_WORLD
        settings = {"steps": 4} if comm.rank == 0 else None
        settings = comm.bcast(settings, root=leader(comm))  #! JM119
        print(settings)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        last = comm.Get_size()
        ranks = comm.gather(comm.rank, root=last)  #! JM119
        print(ranks)
        """,
    )
