"""JM105: rank-dependent call of a function that contains a collective."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.divergence_story import decorated_divergences
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Variant
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class RootOnlyCallToCollectiveFunction(DivergenceRule):
    """Rank-dependent call of a function that contains a collective.

    ## What it does
    Reports a call in one branch of a test on the rank, if the called function, method or constructor of the project
    executes a collective on every path, and the other branch executes no matching one. Reading a property is a call of
    its method. Also a value that a collective computes when it is first read, which one rank reads earlier than the
    others: the calls meet crosswise, nothing hangs, and both results are wrong. The sanitizer does not see this, since
    the calls are alike.

    ## Why is this bad?
    Nothing at the call site shows that it communicates. The ranks of one branch block in a collective inside the
    function. The other ranks never enter it, or enter a later one of the same kind and the results are wrong.

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
    High if the test compares the rank in the same communicator, medium if it tests a value derived from the rank. Calls
    are followed up to six levels deep with their arguments: communicators in parameters, fields and constructors, and
    constants that decide a branch in the callee. Decorators of the project are applied; a decorator that makes only the
    root call a communicating function is itself reported.

    Not reported: collectives that an unknown test in the function could skip; functions that return at once on these
    ranks; calls for which the other branch can do the same; unknown functions. A call of a function that consists of
    one collective is reported as JM101.

    ## Known false negatives
    Collectives guarded by unknown flags; decorators of libraries; generators; methods of a parameter whose class is
    unknown (`def save(field): field.norm()`).

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
    message = "{d.who} this call, which executes {d.event.title}"
    detect = in_functions(decorated_divergences)
    remedy = "call it on all ranks and guard only the local work{at_run_time}"

    variants: ClassVar = {
        "decorator": Variant(
            "{d.who} the decorated function, which executes {d.event.title}",
            "remove the decorator from functions that communicate, and guard only the local work{at_run_time}",
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
