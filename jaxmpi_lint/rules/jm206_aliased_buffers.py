"""JM206: aliased send and receive buffers."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4py.aliased_arguments import aliased_arguments, one_buffer
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example


class AliasedBuffers(CheckRule):
    """Aliased send and receive buffers.

    ## What it does
    Reports `comm.Allreduce(x, x)` and every other upper-case mpi4py call whose send and receive buffers are the same
    array, or provably overlapping parts of one: collectives, `Sendrecv`, and their non-blocking and persistent forms.

    ## Why is this bad?
    MPI forbids it. The library may write the result while it still reads the input. Some libraries raise an error;
    others overwrite input that they still need and silently return wrong numbers.

    ## Example
    ```python
    comm.Allreduce(x, x, op=MPI.SUM)
    ```

    ## Use instead
    ```python
    comm.Allreduce(MPI.IN_PLACE, x, op=MPI.SUM)
    ```

    ## Fix safety
    Safe: `MPI.IN_PLACE` expresses what the call means, and `Sendrecv_replace` is `Sendrecv` with one buffer. Rooted
    operations are fixed only in code that the root alone executes, because the other ranks must not pass
    `MPI.IN_PLACE`. There is no fix for overlapping parts of one array.

    ## Confidence
    High for the same object, medium for overlapping slices. Silent on ranks where a buffer is not significant (the
    receive buffer of `Reduce` and `Gather` on ranks other than the root), for buffers with displacements, for `None`,
    for two datatypes of the program, which may select different elements, and where the ranks that the enclosing test
    selects are unknown.

    ## Known false negatives
    Two views of one array with different names; slices with computed bounds.

    ## References
    MPI 4.1, section 2.3 (aliasing of arguments), section 6.2 (in-place option of collectives) and section 3.10
    (send-receive with disjoint buffers). Runtime check: JS107.
    """

    code = "JM206"
    name = "aliased-buffers"
    severity = Severity.ERROR
    sanitizer = ("JS107",)
    fix = Applicability.SAFE
    detect = in_communicating(aliased_arguments)
    repair = one_buffer
    message = "`{d.operation.method}` sends from and receives into {d.overlap.value}: `{d.text}`"
    remedy = "{d.advice}"

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        x = np.ones(4)
        total = np.empty_like(x)
        comm.Allreduce(x, total)
        comm.Allreduce(MPI.IN_PLACE, x)
        comm.Bcast(x)
        comm.Sendrecv_replace(x, dest=comm.rank, source=comm.rank)
        """,
        """
        from mpi4py import MPI

        def halo(comm, field, left, right):
            comm.Sendrecv(field[1:2], dest=left, recvbuf=field[-1:], source=right)
            comm.Sendrecv(field[4:6], dest=right, recvbuf=field[0:2], source=left)
        """,
    )
    INVALID = (
        Example(
            """
            import numpy as np
            from mpi4py import MPI

            x = np.ones(4)
            MPI.COMM_WORLD.Allreduce(x, x, op=MPI.SUM)  #! JM206
            """,
            """
            import numpy as np
            from mpi4py import MPI

            x = np.ones(4)
            MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, x, op=MPI.SUM)
            """,
        ),
        Example(
            """
            from mpi4py import MPI as mpi

            class Field:
                def __init__(self, comm, values):
                    self.comm, self.values = comm, values

                def sum(self):
                    self.comm.Allreduce([self.values, mpi.DOUBLE], [self.values, mpi.DOUBLE])  #! JM206
                    self.comm.Iallreduce(sendbuf=self.values, recvbuf=self.values).Wait()  #! JM206
            """,
            """
            from mpi4py import MPI as mpi

            class Field:
                def __init__(self, comm, values):
                    self.comm, self.values = comm, values

                def sum(self):
                    self.comm.Allreduce(mpi.IN_PLACE, [self.values, mpi.DOUBLE])
                    self.comm.Iallreduce(sendbuf=mpi.IN_PLACE, recvbuf=self.values).Wait()
            """,
        ),
    )
