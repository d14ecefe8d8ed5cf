"""JM122: wrong length of the list for `scatter` or `alltoall`."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class ListLength(Rule):
    """Wrong length of the list for `scatter` or `alltoall`.

    ## What it does
    Reports `scatter` whose root passes a list, and `alltoall` with a list, that does not have exactly one element for
    each rank of the communicator.

    ## Why is this bad?
    mpi4py raises `ValueError` on the rank with the wrong list. The other ranks wait in the call.

    ## Example
    ```python
    chunks = list(range(10)) if comm.rank == 0 else None
    chunk = comm.scatter(chunks, root=0)
    ```

    ## Use instead
    ```python
    chunks = [list(range(first, 10, comm.size)) for first in range(comm.size)] if comm.rank == 0 else None
    chunk = comm.scatter(chunks, root=0)
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process. A list
    whose length is not known exactly is not checked.

    ## Known false negatives
    A list of constant length that fits none of the numbers of ranks which are tried: the program may be made for as
    many ranks as the list has elements. Functions that no script of the project calls; programs in which an unknown
    call may communicate; jobs with more than four ranks.

    ## References
    mpi4py: `Comm.scatter`, `Comm.alltoall`. MPI 4.1, section 6.6 (scatter) and section 6.8 (all-to-all). Runtime check:
    JS108.
    """

    code = "JM122"
    name = "list-length"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS108",)

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        parts = [list(range(first, 10, comm.size)) for first in range(comm.size)] if comm.rank == 0 else None
        part = comm.scatter(parts, root=0)
        print(part)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        ignored = list(range(10)) if comm.rank else list(range(comm.size))
        part = comm.scatter(ignored, root=0)
        parts = comm.alltoall([part] * comm.size)
        print(parts)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        parts = list(range(2 * comm.size)) if comm.rank == 0 else None
        part = comm.scatter(parts, root=0)  #! JM122
        print(part)
        """,
        """
        from mpi4py import MPI


        def exchange(comm, value):
            others = [value for peer in range(comm.size) if peer != comm.rank]
            return comm.alltoall(others)  #! JM122


        exchange(MPI.COMM_WORLD, 1)
        """,
    )
