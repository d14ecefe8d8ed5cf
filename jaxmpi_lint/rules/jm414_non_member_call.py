"""JM414: operation on a communicator by a non-member."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class NonMemberCall(Rule):
    """Operation on a communicator by a non-member.

    ## What it does
    Reports an operation on `MPI.COMM_NULL`, which `Split` with `MPI.UNDEFINED`, `Create` and `Create_group` return on
    ranks that are not members of the new communicator.

    ## Why is this bad?
    The call raises an exception on each rank that is not a member.

    ## Example
    ```python
    writers = comm.Split(0 if comm.rank < 2 else MPI.UNDEFINED, comm.rank)
    writers.Barrier()
    ```

    ## Use instead
    ```python
    writers = comm.Split(0 if comm.rank < 2 else MPI.UNDEFINED, comm.rank)
    if writers != MPI.COMM_NULL:
        writers.Barrier()
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process.

    ## Known false negatives
    Functions that no script of the project calls; programs in which an unknown call may communicate; jobs with more
    than four ranks.

    ## References
    MPI 4.1, section 7.4.2 (communicator constructors).
    """

    code = "JM414"
    name = "non-member-call"
    severity = Severity.ERROR
    in_tests = Severity.WARNING

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        writers = comm.Split(0 if comm.rank < 2 else MPI.UNDEFINED, comm.rank)
        if writers != MPI.COMM_NULL:
            writers.Barrier()
            writers.Free()
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        halves = comm.Split(comm.rank % 2, comm.rank)
        total = halves.allreduce(1)
        print(total)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        first = comm.Split(0 if comm.rank == 0 else MPI.UNDEFINED, comm.rank)
        first.Barrier()  #! JM414
        """,
        """
        from mpi4py import MPI


        def share(members, value):
            return members.bcast(value, root=0)  #! JM414


        if __name__ == "__main__":
            world = MPI.COMM_WORLD
            pair = world.Create(world.Get_group().Incl([0, 1]))
            share(pair, 4)
        """,
    )
