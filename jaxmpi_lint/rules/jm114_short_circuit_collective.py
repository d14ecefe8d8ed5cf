"""JM114."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class ShortCircuitCollective(DivergenceRule):
    """Collective inside an expression that only some ranks evaluate.

    ## What it does
    Reports a collective on the right of an `and` or `or`, in an arm of a conditional expression, or behind the filter
    of a comprehension, if what stands before it differs between the ranks.

    ## Why is this bad?
    Python leaves out what it need not evaluate: ranks for which the left side settles the answer never make the call,
    and the others wait for them.

    ## Example
    ```python
    failed = comm.rank == 0 and comm.allreduce(errors) > 0
    ```

    ## Use instead
    ```python
    total = comm.allreduce(errors)
    failed = comm.rank == 0 and total > 0
    ```

    ## Confidence
    High when the rank itself is tested, medium when its influence came through other values. Silent where the left
    side is the same on every rank (`self.verbose and comm.allreduce(...)`), where it is not known, and where both arms
    of a conditional expression make the same call.

    ## Known false negatives
    Left sides that depend on a process's own data.

    ## Suppression
    `# jaxmpi-lint: ignore[JM114] reason`.

    ## References
    Python reference, section 6.11 (boolean operations). Runtime check: JS101.
    """

    code = "JM114"
    name = "short-circuit-collective"
    severity = Severity.WARNING
    specificity = 130
    in_tests = Severity.INFO
    sanitizer = ("JS101",)
    selects = Cause.SHORT_CIRCUIT
    message = "{d.who} this {d.event.title} inside an expression"
    remedy = "make the call in a statement of its own, before the expression{at_run_time}"

    VALID = (
        """
        from mpi4py import MPI

        def failed(comm, errors):
            total = comm.allreduce(errors)
            return comm.rank == 0 and total > 0
        """,
        """
        from mpi4py import MPI

        def first(comm, value):
            return comm.allreduce(value) > 0 and comm.rank == 0
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        def failed(comm, errors):
            return comm.rank == 0 and comm.allreduce(errors) > 0  #! JM114
        """,
        """
        from mpi4py import MPI

        def norm(comm, x):
            comm.Barrier()
            return comm.allreduce(x)

        def report(comm, x):
            print(comm.rank or norm(comm, x))  #! JM114
        """,
    )
