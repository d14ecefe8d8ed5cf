"""JM123: collectives on two communicators in different orders."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class CrossedCommunicators(Rule):
    """Collectives on two communicators in different orders.

    ## What it does
    Reports ranks that enter collectives on two communicators in different orders, so that each rank waits in a
    collective of one communicator for a rank that waits in a collective of the other.

    ## Why is this bad?
    The order of collectives is the same on all ranks of a communicator, so each communicator looks right by itself.
    Together they deadlock: no rank can leave its first call.

    ## Example
    ```python
    first, second = (rows, columns) if comm.rank == 0 else (columns, rows)
    first.Barrier()
    second.Barrier()
    ```

    ## Use instead
    ```python
    rows.Barrier()
    columns.Barrier()
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process.

    ## Known false negatives
    Cycles over more than two communicators are reported as a rank-dependent collective. Functions that no script of the
    project calls; programs in which an unknown call may communicate; jobs with more than four ranks.

    ## References
    MPI 4.1, section 6.14: the relative order of collectives on different communicators must not cause a cyclic
    dependence. Runtime check: JS207.
    """

    code = "JM123"
    name = "crossed-communicators"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS207",)

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        logs = comm.Dup()
        pair = [comm, logs] if comm.rank == 0 else [logs, comm]
        MPI.Request.Waitall([one.Ibarrier() for one in pair])
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        alone = comm.Split(comm.rank, 0)
        if comm.rank == 0:
            alone.Barrier()
            comm.Barrier()
        else:
            comm.Barrier()
            alone.Barrier()
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        logs = comm.Dup()
        if comm.rank == 0:
            comm.Barrier()  #! JM123
            logs.Barrier()
        else:
            logs.Barrier()
            comm.Barrier()
        """,
        """
        from mpi4py import MPI


        def synchronize(communicators):
            for one in communicators:
                one.Barrier()  #! JM123


        if __name__ == "__main__":
            world = MPI.COMM_WORLD
            solver, output = world.Dup(), world.Dup()
            synchronize([solver, output] if world.rank % 2 == 0 else [output, solver])
        """,
    )
