"""JM412: `COMM_WORLD` used in a function that takes a communicator."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.world_story import repair_of, worlds_in_use
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class CommWorldHardcodedInCommFunction(CheckRule):
    """Hard-coded `COMM_WORLD` in a function that takes a communicator.

    ## What it does
    Checks functions that take a communicator, and methods of classes whose constructor takes one. Reports collectives
    on `MPI.COMM_WORLD` in them, also in a function to which they pass `MPI.COMM_WORLD`. Reports uses of the rank or
    size in `MPI.COMM_WORLD` that control what happens on the given communicator: which rank sends, which rank keeps a
    result, which part of the data a rank processes. Reports calls that leave a parameter to its default, `COMM_WORLD`,
    where a call in the same class or function passes the given communicator for such a parameter. Also reports a
    communicator that is ignored: passed by position to a function that looks it up in its `**kwargs` and never reads
    its `*args`.

    ## Why is this bad?
    The function works as long as callers pass `COMM_WORLD`. With a smaller communicator, the collective waits for ranks
    that never call the function, or mixes data of unrelated groups; and no rank, or more than one rank, acts as rank 0.

    ## Example
    ```python
    def mean(x, comm):
        total = comm.allreduce(x.sum())
        return total / MPI.COMM_WORLD.allreduce(x.size)
    ```

    ## Use instead
    ```python
    def mean(x, comm):
        total = comm.allreduce(x.sum())
        return total / comm.allreduce(x.size)
    ```

    ## Fix safety
    Safe: nothing changes for callers that pass `COMM_WORLD`; unsafe for default arguments. There is no fix where the
    communicator may be `None`.

    ## Confidence
    High for collectives, medium for ranks and default arguments. Silent where no communicator was passed (`if comm is
    None`), for default arguments that no call of the class passes, `Abort`, barriers in functions that measure time,
    functions that combine the two communicators (translate ranks, compare, build groups or intercommunicators), names
    that state the intent (`world_rank`, `node_comm`), ranks that only select what to print, how to name files or which
    device to use, and functions that take several communicators.

    ## Known false negatives
    `COMM_WORLD` passed to other libraries; ranks stored in an attribute of a different class.

    ## References
    MPI 4.1, section 7.1.1: libraries communicate on the communicator that the caller passes. mpi4py documentation,
    "Overview", on communicators.
    """

    code = "JM412"
    name = "comm-world-hardcoded-in-comm-function"
    severity = Severity.WARNING
    fix = Applicability.SAFE
    detect = in_functions(worlds_in_use)
    message = "`{d.method}` runs on MPI.COMM_WORLD instead of on `{d.meant}`, which the caller passed"
    remedy = "use `{d.meant}`"
    repair = repair_of

    variants: ClassVar = {
        "call": Variant(
            "`{d.called}` calls `{d.method}` on MPI.COMM_WORLD instead of on `{d.meant}`, which the caller passed",
            "pass `{d.meant}`",
        ),
        "rank": Variant(
            "`{d.text}` {d.read.decides}, not the rank and size in `{d.own.text}`",
            "query `{d.meant}`",
        ),
        "dropped": Variant(
            "`{d.text}` is ignored: `{d.called}` takes `{d.keyword}` only by name, and uses the default otherwise",
            "pass it as `{d.keyword}={d.text}`",
        ),
        "omitted": Variant(
            "`{d.called}` calls `{d.method}` on its default, MPI.COMM_WORLD; other calls here pass `{d.meant}`",
            "pass `{d.keyword}={d.meant}`",
        ),
    }

    VALID = (
        """
        from mpi4py import MPI

        def total(x, comm=None):
            comm = MPI.COMM_WORLD if comm is None else comm
            return comm.allreduce(x)
        """,
        """
        from mpi4py import MPI

        def check(comm, ok):
            if not comm.allreduce(ok, op=MPI.LAND):
                MPI.COMM_WORLD.Abort(1)
        """,
    )
    INVALID = (
        Example(
            """
            from mpi4py import MPI

            def mean(x, comm):
                total = comm.allreduce(x.sum())
                return total / MPI.COMM_WORLD.allreduce(x.size)  #! JM412
            """,
            fixed="""
            from mpi4py import MPI

            def mean(x, comm):
                total = comm.allreduce(x.sum())
                return total / comm.allreduce(x.size)
            """,
        ),
        Example(
            """
            from mpi4py import MPI

            class Writer:
                def __init__(self, comm: MPI.Intracomm):
                    self.comm = comm
                    self.rank = MPI.COMM_WORLD.Get_rank()  #! JM412

                def write(self, path, rows):
                    every = self.comm.gather(rows, root=0)
                    if self.rank == 0:
                        path.write_text(str(every))
                    MPI.COMM_WORLD.Barrier()  #! JM412
            """,
            fixed="""
            from mpi4py import MPI

            class Writer:
                def __init__(self, comm: MPI.Intracomm):
                    self.comm = comm
                    self.rank = comm.Get_rank()

                def write(self, path, rows):
                    every = self.comm.gather(rows, root=0)
                    if self.rank == 0:
                        path.write_text(str(every))
                    self.comm.Barrier()
            """,
        ),
    )
