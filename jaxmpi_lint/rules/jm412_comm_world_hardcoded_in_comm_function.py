"""JM412: a function is given a communicator and uses the world."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.world_story import repair_of, worlds_in_use
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class CommWorldHardcodedInCommFunction(CheckRule):
    """`COMM_WORLD` in a function that is given a communicator.

    ## What it does
    Finds functions that receive a communicator, and methods of classes whose constructor receives one, that
    nevertheless call a collective on `MPI.COMM_WORLD`, themselves or in a function that they hand it to, or let its
    rank or size decide what happens on the communicator they were given: which process sends, who keeps a result, which
    part of the data is whose. Finds calls whose communicator is dropped as well: passed by position to a function that
    looks for it in its `**kwargs` and reads nothing of its `*args`.

    ## Why is this bad?
    All is well while callers pass `COMM_WORLD`. Given a part of the processes, the collective waits for processes that
    never call the function, or mixes data of groups that have nothing to do with each other; and no process, or more
    than one, takes itself for rank 0.

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
    Safe: callers that pass `COMM_WORLD` see no difference. None is offered where the communicator may be `None`.

    ## Confidence
    High for collectives, medium for ranks. Silent where no communicator was passed (`if comm is None`), for defaults,
    `Abort`, barriers of functions that take the time, functions that bring the two together (translate ranks, compare,
    build groups or intercommunicators), names that say what they are (`world_rank`, `node_comm`), ranks that choose
    what to print, how to name files or which device to use, and functions that are given several communicators.

    ## Known false negatives
    The world passed on to other libraries; ranks kept in a field of another class.

    ## References
    MPI 4.1, section 7.1.1: libraries communicate on the communicator of their caller. mpi4py documentation, "Overview",
    on communicators.
    """

    code = "JM412"
    name = "comm-world-hardcoded-in-comm-function"
    severity = Severity.WARNING
    fix = Applicability.SAFE
    detect = in_functions(worlds_in_use)
    message = "`{d.method}` on MPI.COMM_WORLD in a function that is given `{d.meant}`"
    remedy = "use `{d.meant}`"
    repair = repair_of

    variants: ClassVar = {
        "call": Variant(
            "`{d.called}` calls `{d.method}` on MPI.COMM_WORLD, in a function that is given `{d.meant}`",
            "pass `{d.meant}`",
        ),
        "rank": Variant(
            "`{d.text}` {d.read.decides}, not the rank and size in `{d.own.text}`",
            "ask `{d.meant}`",
        ),
        "dropped": Variant(
            "`{d.text}` is dropped: `{d.called}` takes `{d.keyword}` by name only, and its default otherwise",
            "pass it as `{d.keyword}={d.text}`",
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
