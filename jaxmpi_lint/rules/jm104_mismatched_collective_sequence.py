"""JM104."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.collectives.rank_dependent_arguments import rank_arguments
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Variant
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class MismatchedCollectiveSequence(DivergenceRule):
    """Collectives that do not match those of the other ranks.

    ## What it does
    Reports ranks that enter a collective while the others of the same communicator enter another one: another
    operation, another communicator of the same processes, a blocking call beside a non-blocking one, or the same
    operation with another root or reduction operator. Also a root, an operator or a choice of communicator that is
    computed from the rank.

    ## Why is this bad?
    Calls on a communicator are matched in their order. Two that do not fit hang, fail on some ranks, or exchange the
    wrong data without a word: an `allreduce` with two operators ends with other numbers on each rank.

    ## Example
    ```python
    if comm.rank == 0:
        comm.bcast(parameters, root=0)
        comm.gather(result, root=0)
    else:
        comm.gather(result, root=0)
        comm.bcast(None, root=0)
    ```

    ## Use instead
    ```python
    parameters = comm.bcast(parameters, root=0)
    results = comm.gather(result, root=0)
    ```

    ## Confidence
    High when the rank itself is tested or passed, medium when its influence came through other values. Both arms are
    compared as the sets of sequences that they can perform; roots and operators only where both are constants.
    Silent for point-to-point messages, whose arms differ by design; for intercommunicators; where an arm can take
    several ways of which one matches; for functions that are not known.

    ## Known false negatives
    Counts and datatypes; names of barriers of JAX.

    ## Suppression
    `# jaxmpi-lint: ignore[JM104] reason` on the first call that differs.

    ## References
    MPI 4.1, section 6.1 (root and operator are the same on all processes) and section 6.14 (order). Runtime checks:
    JS101, JS102.
    """

    code = "JM104"
    name = "mismatched-collective-sequence"
    severity = Severity.ERROR
    specificity = 40
    in_tests = Severity.WARNING
    sanitizer = ("JS101", "JS102", "JS501", "JS503")
    selects = Cause.MISMATCH
    message = "{d.mismatch}"
    detect = in_communicating(rank_arguments)
    remedy = "make the same calls in the same order on every rank{at_run_time}"

    variants: ClassVar = {
        "argument": Variant(
            "{d.event.title} with another {d.what} on each rank",
            "give every rank the same {d.what}",
            in_tests=Severity.ERROR,
        )
    }

    VALID = (
        """
        from mpi4py import MPI

        def share(comm, value):
            if comm.rank == 0:
                comm.bcast(value, root=0)
                return comm.gather(value)
            value = comm.bcast(None)
            return comm.gather(value, 0)
        """,
        """
        from mpi4py import MPI

        def barriers(comm):
            if comm.rank == 0:
                comm.barrier()
            else:
                comm.Barrier()
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        def exchange(comm, value):
            if comm.rank == 0:
                comm.bcast(value, root=0)  #! JM104
                comm.gather(value, root=0)
            else:
                comm.gather(value, root=0)
                comm.bcast(None, root=0)
        """,
        """
        from mpi4py import MPI

        def first(comm, value):
            comm.Barrier()
            return comm.gather(value)

        def second(comm, value):
            comm.allreduce(value)
            return comm.bcast(value)

        def run(comm, value):
            if comm.rank == 0:
                return first(comm, value)  #! JM104
            return second(comm, value)
        """,
    )
