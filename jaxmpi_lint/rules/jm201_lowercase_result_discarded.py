"""JM201."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.checks.mpi4py.discarded_results import (
    DiscardedResult,
    discarded_results,
    has_partner,
    is_counter,
    is_of_one_role,
    is_used_as_result,
)
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Severity
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import Kind
from jaxmpi_lint.rules.base import Example, Finding, OperationRule, Repair, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


class LowercaseResultDiscarded(OperationRule):
    """Result of a lower-case communication is dropped and its argument used instead.

    ## What it does
    Reports `comm.bcast(x)`, `comm.allreduce(x)`, `comm.scatter(x)`, `comm.sendrecv(x, ...)` and the other lower-case
    methods of mpi4py that return something, when they stand alone as a statement and `x` is read afterwards; and
    `comm.recv(...)` where the other arm of a test sends a variable that this arm reads afterwards. As
    information it reports an `allreduce` whose outcome nobody can see: it does nothing but synchronise.

    ## Why is this bad?
    The lower-case methods pickle their argument and return a new object; they never change the argument. After
    `comm.bcast(x)` every rank but the root goes on with its old `x`. No error is raised: the numbers are wrong, or
    `None` turns up much later.

    ## Example
    ```python
    settings = read() if rank == 0 else None
    comm.bcast(settings, root=0)
    run(settings)
    ```

    ## Use instead
    ```python
    settings = read() if rank == 0 else None
    settings = comm.bcast(settings, root=0)
    run(settings)
    ```

    ## Fix safety
    Unsafe: the fix assigns the result to the argument, which changes what the program computes.

    ## How sure
    High when the argument visibly differs between the ranks, medium when nothing is known about it. Silent when it is
    equal everywhere; when a test on the rank or on a role decides who makes the call (the root may drop what it has
    sent itself); when the other arm, or a function for the other ranks, keeps the result; and for classes of the
    project that have a method of this name, which may well work in place.

    ## Known misses
    Other uses of `comm.recv()` as a statement, which many programs need as a signal; arguments that are never read
    again.

    ## References
    mpi4py, tutorial: communication of generic Python objects returns the received object. MPI 4.1, section 6.4
    (broadcast).
    """

    code = "JM201"
    name = "lowercase-result-discarded"
    severity = Severity.ERROR
    fix = Applicability.UNSAFE

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD

        def share(value):
            if comm.rank == 0:
                comm.bcast(value, root=0)
            else:
                value = comm.bcast(None, root=0)
            return value
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        comm.barrier()
        comm.send(comm.rank, dest=0)
        steps = 3
        comm.bcast(steps)
        print(steps)
        """,
    )
    INVALID = (
        Example(
            """
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            settings = {"steps": 3} if comm.rank == 0 else None
            comm.bcast(settings, root=0)  #! JM201
            print(settings["steps"])
            """,
            """
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            settings = {"steps": 3} if comm.rank == 0 else None
            settings = comm.bcast(settings, root=0)
            print(settings["steps"])
            """,
        ),
        """
        class Solver:
            def __init__(self, comm):
                self.comm = comm
                self.rank = comm.Get_rank()

            def start(self):
                if self.rank == 0:
                    self.state = self.read()
                self.comm.bcast(self.state)  #! JM201
                return self.state.copy()
        """,
    )

    def check_function(self, function: Function) -> Iterator[Finding]:
        """One finding for each dropped result that matters."""
        for found in discarded_results(function):
            if found.argument is None or isinstance(found.argument, ir.Constant):
                continue
            if found.operation.kind is Kind.RECEIVE:
                if is_used_as_result(found):
                    yield self._lost(found)
                continue
            if is_of_one_role(found) or has_partner(found):
                continue
            if found.sent.content.level is not Level.UNIFORM and not is_counter(found) and is_used_as_result(found):
                yield self._lost(found)
            elif found.operation.method == "allreduce":
                yield self._pointless(found)

    def _lost(self, found: DiscardedResult) -> Finding:
        module, method = found.function.module, found.operation.method
        assert found.argument is not None
        text = module.source(found.argument.span)
        reason = found.sent.content.reason if found.sent.content.level.diverges else None
        steps = [Step(link.module, link.span, link.message) for link in reason.chain()] if reason is not None else []
        steps.append(Step(module, found.bound.call.span, f"returns the outcome; `{text}` keeps its old value"))
        return self.finding(
            module,
            found.bound.call.span,
            f"result of `{method}` is dropped: {_who(found)} with the old `{text}`",
            steps=tuple(steps),
            remedy=f"assign it: `{text} = {module.source(found.bound.call.func.span)}(...)`",
            repair=self._repair(found, text),
            confidence=Confidence.HIGH if found.sent.content.level.diverges else Confidence.MEDIUM,
        )

    def _repair(self, found: DiscardedResult, text: str) -> Repair | None:
        if not isinstance(found.argument, (ir.Name, ir.Attribute, ir.Subscript)) or "\n" in text:
            return None
        start = found.step.span[0]
        return Repair(Applicability.UNSAFE, f"assign the result to `{text}`", (((start, start), f"{text} = "),))

    def _pointless(self, found: DiscardedResult) -> Finding:
        return self.finding(
            found.function.module,
            found.bound.call.span,
            f"result of `{found.operation.method}` is dropped: the call does nothing but synchronise the ranks",
            remedy="use `Barrier` if the ranks are to wait for each other, else remove the call or keep its result",
            confidence=Confidence.MEDIUM,
            severity=Severity.INFO,
        )


def _who(found: DiscardedResult) -> str:
    match found.operation.method:
        case "bcast":
            return "every rank but the root goes on"
        case "gather" | "reduce":
            return "the root goes on"
        case "recv":
            return "the receiver goes on"
        case _:
            return "every rank goes on"
