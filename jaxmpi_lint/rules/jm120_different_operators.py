"""JM120: different reduction operators in a collective."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class DifferentOperators(Rule):
    """Different reduction operators in a collective.

    ## What it does
    Reports a reduction (`reduce`, `allreduce`, `scan`, `Reduce_scatter` and similar) that the ranks call with different
    reduction operators.

    ## Why is this bad?
    MPI does not compare the operators. The call returns, and the result is wrong, often differently on each rank.

    ## Example
    ```python
    operator = MPI.MAX if comm.rank == 0 else MPI.SUM
    value = comm.allreduce(value, op=operator)
    ```

    ## Use instead
    ```python
    value = comm.allreduce(value, op=MPI.SUM)
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process.

    ## Known false negatives
    User-defined operators, which are not compared. Functions that no script of the project calls; programs in which an
    unknown call may communicate; jobs with more than four ranks.

    ## References
    MPI 4.1, section 6.9.1: all members of the group pass the same operator. Runtime check: JS104.
    """

    code = "JM120"
    name = "different-operators"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS104",)

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            total = comm.reduce(comm.rank, op=MPI.SUM)
        else:
            comm.reduce(comm.rank)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        operator = MPI.MAX if comm.size > 2 else MPI.SUM
        value = comm.allreduce(comm.rank, op=operator)
        print(value)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        operator = MPI.MAX if comm.rank == 0 else MPI.SUM
        value = comm.allreduce(comm.rank, op=operator)  #! JM120
        print(value)
        """,
        """
        from mpi4py import MPI


        def combine(comm, value, largest):
            operator = MPI.SUM
            if largest:
                operator = MPI.MAX
            return comm.reduce(value, op=operator, root=0)  #! JM120


        if __name__ == "__main__":
            world = MPI.COMM_WORLD
            combine(world, 2.5, world.Get_rank() % 2 == 1)
        """,
    )
