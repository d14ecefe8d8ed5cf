"""JM105."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.divergence_story import decorated_divergences
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Variant
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


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

    ## Confidence
    High when the test compares the rank of the same communicator, medium when the rank reaches it through other
    values. The functions are looked into up to six calls deep, with what is passed to them: communicators by
    parameter, by field and by constructor, constants that decide a branch there. Silent where a test in the function
    that is not known could skip the collective, where the function returns at once on these ranks, where the other arm
    can do the same, and for functions that are not known. Decorators of the project count with what they add; one that
    lets the root only run a function that communicates is reported itself. The call of a function that is nothing but
    one collective is reported as JM101.

    ## Known false negatives
    Collectives behind tests of flags that are not known; decorators of libraries; generators.

    ## Suppression
    `# jaxmpi-lint: ignore[JM105] reason` on the call.

    ## References
    MPI 4.1, section 6.1 (collective operations are called by all processes of the group). Runtime check: JS101.
    """

    code = "JM105"
    name = "root-only-call-to-collective-function"
    severity = Severity.ERROR
    specificity = 30
    in_tests = Severity.WARNING
    sanitizer = ("JS101",)
    selects = Cause.CALL
    message = "{d.who} this call, which comes to {d.event.title}"
    detect = in_functions(decorated_divergences)
    remedy = "call it on every rank and guard only the local work{at_run_time}"

    variants: ClassVar = {
        "decorator": Variant(
            "{d.who} the decorated function, which comes to {d.event.title}",
            "decorate what communicates with nothing, and guard only the local work{at_run_time}",
        )
    }

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
