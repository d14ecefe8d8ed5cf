"""JM412: a function is given a communicator and uses the world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.model.communicator_parameters import OwnCommunicator, own_communicator
from jaxmpi_lint.analysis.uniformity.communicator_usage import CommunicatorUse, CommunicatorUses
from jaxmpi_lint.checks.mpi4py.positional_communicators import Swallowed, swallowed_communicators
from jaxmpi_lint.checks.mpi4py.world_finder import WorldFinder
from jaxmpi_lint.checks.mpi4py.world_reads import WorldRead, named_world
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Severity
from jaxmpi_lint.rules.base import Example, Finding, Repair, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


class CommWorldHardcodedInCommFunction(Rule):
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

    ## How sure
    High for collectives, medium for ranks. Silent where no communicator was passed (`if comm is None`), for defaults,
    `Abort`, barriers of functions that take the time, functions that bring the two together (translate ranks, compare,
    build groups or intercommunicators), names that say what they are (`world_rank`, `node_comm`), ranks that choose
    what to print, how to name files or which device to use, and functions that are given several communicators.

    ## Known misses
    The world passed on to other libraries; ranks kept in a field of another class.

    ## References
    MPI 4.1, section 7.1.1: libraries communicate on the communicator of their caller. mpi4py documentation, "Overview",
    on communicators.
    """

    code = "JM412"
    name = "comm-world-hardcoded-in-comm-function"
    severity = Severity.WARNING
    fix = Applicability.SAFE

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

    def check(self, project: Program) -> Iterator[Finding]:
        """Findings of every function that is given one communicator."""
        passed_on = project.get(CommunicatorUses)
        for module in project.reported_modules():
            for function in module.functions():
                yield from self._of_function(function, passed_on)
                yield from (self._of_swallowed(function, found) for found in swallowed_communicators(function))

    def _of_function(self, function: Function, passed_on: CommunicatorUses) -> Iterator[Finding]:
        own = own_communicator(function)
        uses = WorldFinder(function, own) if own is not None else None
        if own is None or uses is None or uses.is_exempt:
            return
        for bound in uses.collectives():
            yield self._of_collective(function, own, bound)
        for bound, place, use in uses.handed_on(passed_on):
            yield self._of_call(function, own, bound, place, use)
        for read in uses.ranks():
            yield self._of_rank(function, own, read)

    def _of_collective(self, function: Function, own: OwnCommunicator, bound: BoundCall) -> Finding:
        assert bound.operation is not None
        place = named_world(bound)
        assert place is not None
        return self.finding(
            function.module,
            bound.call.span,
            f"`{bound.operation.method}` on MPI.COMM_WORLD in a function that is given `{own.text}`",
            steps=(_given(own),),
            remedy=f"use `{own.text}`",
            repair=_repair(own, place.span, own.text),
        )

    def _of_swallowed(self, function: Function, found: Swallowed) -> Finding:
        text, keyword = function.module.source(found.argument.span), found.keyword
        edit = (found.argument.span, f"{keyword}={text}")
        repair = Repair(Applicability.SAFE, f"pass `{keyword}` by name", (edit,)) if found.is_last else None
        return self.finding(
            function.module,
            found.argument.span,
            f"`{text}` is dropped: `{found.called.ir.name}` takes `{keyword}` by name only, and its default otherwise",
            steps=(Step(found.called.module, found.asked, f"`{keyword}` is looked for among the keyword arguments"),),
            remedy=f"pass it as `{keyword}={text}`",
            repair=repair,
        )

    def _of_call(
        self,
        function: Function,
        own: OwnCommunicator,
        bound: BoundCall,
        place: ir.Expression,
        use: CommunicatorUse,
    ) -> Finding:
        called = function.module.line(bound.call.func.span)
        return self.finding(
            function.module,
            bound.call.span,
            f"`{called}` calls `{use.operation.method}` on MPI.COMM_WORLD, in a function that is given `{own.text}`",
            steps=(_given(own), Step(use.module, use.span, "the collective")),
            remedy=f"pass `{own.text}`",
            repair=_repair(own, place.span, own.text),
            confidence=Confidence.MEDIUM,
        )

    def _of_rank(self, function: Function, own: OwnCommunicator, read: WorldRead) -> Finding:
        reader_own = own if read.function is function else own_communicator(read.function)
        text = reader_own.text if reader_own is not None else own.text
        repair = _repair(own, read.communicator, text) if read.communicator is not None else None
        return self.finding(
            read.function.module,
            read.span,
            f"`{read.function.module.source(read.span)}` {read.decides}, not the rank and size in `{own.text}`",
            steps=(_given(own),),
            remedy=f"ask `{text}`",
            repair=repair,
            confidence=Confidence.MEDIUM,
        )


def _given(own: OwnCommunicator) -> Step:
    return Step(own.module, own.span, "the caller chooses the communicator")


def _repair(own: OwnCommunicator, place: ir.Span, text: str) -> Repair | None:
    if own.may_be_none:
        return None
    return Repair(Applicability.SAFE, f"use `{text}`", ((place, text),))
