"""JM127: rank that no process has."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.rank_that_no_process_has import impossible_ranks
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class RankThatNoProcessHas(CheckRule):
    """Rank that no process has.

    ## What it does
    Reports a test whether the rank in a communicator is equal to the size of that communicator.

    ## Why is this bad?
    Ranks count from 0 to `size - 1`, so no rank passes the test. What the last rank was to do, such as to take the rows
    that are left over by a division, is done by none. The program ends normally, or waits for a message that no rank
    sends.

    ## Example
    ```python
    rows = height // size
    if rank == size:
        rows = height - rows * (size - 1)
    ```

    ## Use instead
    ```python
    rows = height // size
    if rank == size - 1:
        rows = height - rows * (size - 1)
    ```

    ## Confidence
    High. Only tests for equality are reported: `rank >= size` and `rank < size` may check the arguments of a function.

    ## Known false negatives
    Ranks and sizes that are parameters of functions, or computed from others.

    ## References
    MPI 4.1, section 7.2: ranks are numbered from 0 to size - 1.
    """

    code = "JM127"
    name = "rank-that-no-process-has"
    severity = Severity.WARNING
    detect = in_functions(impossible_ranks)
    message = "no rank passes the test `{d.text}`: ranks count from 0 to the size minus 1"
    remedy = "compare with `size - 1` for the last rank"

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rank, size = comm.rank, comm.size
        last, team = size - 1, comm.Split(rank % 2, rank)
        if rank == size - 1 or rank + 1 == size or rank == last:
            print("the last rank")
        if comm.rank == team.size or team.rank == size:
            print("a rank in a different communicator")
        for number in range(size + 1):
            if number == size:
                print("all were asked")
        """,
        """
        from mpi4py import MPI

        def neighbour(comm, rank):
            assert rank < comm.size
            rank += 1
            if rank == comm.size:
                rank = 0
            return rank

        comm = MPI.COMM_WORLD
        right = comm.rank
        right += 1
        if right == comm.size:
            right = 0
        print(neighbour(comm, comm.rank), right)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rank, size = comm.Get_rank(), comm.Get_size()
        rows = 200 // size
        if rank == size:  #! JM127
            rows = 200 - rows * (size - 1)
        print(rows)
        """,
        """
        from mpi4py import MPI

        class Chain:
            def __init__(self, comm):
                self.comm = comm
                self.rank = comm.Get_rank()
                self.size = comm.Get_size()

            def close(self):
                if self.size == self.rank and self.size > 1:  #! JM127
                    self.comm.send("end", dest=0)


        Chain(MPI.COMM_WORLD).close()
        """,
    )
