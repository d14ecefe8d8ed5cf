"""JM114: collective in a short-circuited expression."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class ShortCircuitCollective(DivergenceRule):
    """Collective in a short-circuited expression.

    ## What it does
    Reports a collective in the right operand of `and` or `or`, in a branch of a conditional expression, or after the
    filter of a comprehension, if the part that is evaluated first differs between ranks.

    ## Why is this bad?
    Python evaluates only what it needs. Ranks on which the left operand settles the result never make the call, and the
    other ranks wait for them.

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
    High if the rank itself is tested, medium if a value derived from it is tested. Not reported if the left operand is
    uniform (`self.verbose and comm.allreduce(...)`) or unknown, or if both branches of a conditional expression make
    the same call.

    ## Known false negatives
    Left operands that depend on per-process data.

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
    message = "{d.who} this {d.event.title} in an expression that is evaluated conditionally"
    remedy = "make the call in a separate statement before the expression{at_run_time}"

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
