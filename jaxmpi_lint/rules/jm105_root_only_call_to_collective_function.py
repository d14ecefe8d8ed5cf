"""JM105."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.divergence.divergences import Divergences
from jaxmpi_lint.checks import divergence_story
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Finding
from jaxmpi_lint.rules.divergence_rule import DivergenceRule

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.divergence import Divergence
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module


class RootOnlyCallToCollectiveFunction(DivergenceRule):
    """Function that communicates, called by only some ranks.

    ## What it does
    Reports a call in one arm of a test on the rank that runs a function, method or constructor of the project in which
    a collective is entered on every path, while the other arm enters no matching one. Properties count: reading one
    calls a method.

    ## Why is this bad?
    Nothing at the call shows that it communicates. The ranks of one arm wait in a collective somewhere below; the
    others never come, or meet them in a later one of the same kind, and the numbers are wrong.

    ## Example
    ```python
    def total_energy(comm, field):
        mine = (field**2).sum()
        return comm.allreduce(mine) / comm.allreduce(field.size)


    if comm.rank == 0:
        print(total_energy(comm, field))
    ```

    ## Use instead
    ```python
    energy = total_energy(comm, field)
    if comm.rank == 0:
        print(energy)
    ```

    ## How sure
    High when the test compares the rank of the same communicator, medium when the rank reaches it through other
    values. The functions are looked into up to six calls deep, with what is passed to them: communicators by
    parameter, by field and by constructor, constants that decide a branch there. Silent where a test in the function
    that is not known could skip the collective, where the function returns at once on these ranks, where the other arm
    can do the same, and for functions that are not known. Decorators of the project count with what they add; one that
    lets the root only run a function that communicates is reported itself. The call of a function that is nothing but
    one collective is reported as JM101.

    ## Known misses
    Collectives behind tests of flags that are not known; decorators of libraries; generators.

    ## How to silence
    `# jaxmpi-lint: ignore[JM105] reason` on the call.

    ## References
    MPI 4.1, section 6.1 (collective operations are called by all processes of the group). Runtime check: JS101.
    """

    code = "JM105"
    name = "root-only-call-to-collective-function"
    severity = Severity.ERROR
    remedy = "call it on every rank and guard only the local work (at run time: JS101)"

    VALID = (
        """
        from mpi4py import MPI

        def energy(comm, field):
            mine = comm.allreduce(field)
            return mine / comm.allreduce(1)

        def report(comm, field):
            value = energy(comm, field)
            if comm.rank == 0:
                print(value)
        """,
        """
        from mpi4py import MPI

        def share(comm, value):
            count = comm.bcast(value)
            return comm.bcast(count)

        def run(comm, value):
            if comm.rank == 0:
                return share(comm, value)
            return share(comm, None)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        def energy(comm, field):
            mine = comm.allreduce(field)
            return mine / comm.allreduce(1)

        def report(comm, field):
            if comm.rank == 0:
                print(energy(comm, field))  #! JM105
        """,
        """
        from mpi4py import MPI

        def lowest(comm):
            comm.Barrier()
            comm.Barrier()

        def middle(comm, flag):
            if comm.size > 1:
                lowest(comm)

        def highest():
            comm = MPI.COMM_WORLD
            leader = comm.rank == 0
            if leader:
                middle(comm, True)  #! JM105
        """,
    )

    def check_module(self, module: Module) -> Iterator[Finding]:
        """Calls, and decorators that let some ranks only run the function."""
        yield from super().check_module(module)
        for function in module.functions():
            if function.ir.decorators:
                yield from self._of_decorator(function)

    def _of_decorator(self, function: Function) -> Iterator[Finding]:
        span = function.project.decorators.decorator_span(function)
        for divergence in function.project.get(Divergences).decorated(function)[:1] if span is not None else ():
            assert span is not None
            yield self.finding(
                function.module,
                span,
                f"{divergence_story.who(divergence)} the decorated function, which comes to {divergence.event.title}",
                steps=divergence_story.steps(divergence),
                remedy="decorate what communicates with nothing, and guard only the local work (at run time: JS101)",
                confidence=divergence_story.confidence(divergence),
                severity=divergence_story.severity(divergence, self.severity),
            )

    def message(self, divergence: Divergence) -> str:
        """Who calls the function, and what it comes to."""
        return f"{divergence_story.who(divergence)} this call, which comes to {divergence.event.title}"
