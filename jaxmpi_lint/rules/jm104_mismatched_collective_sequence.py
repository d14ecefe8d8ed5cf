"""JM104: mismatched sequence of collectives."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.collectives.rank_dependent_arguments import rank_arguments
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Variant
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class MismatchedCollectiveSequence(DivergenceRule):
    """Mismatched sequence of collectives.

    ## What it does
    Reports ranks that enter a collective while the other ranks of the same communicator enter a different one: a
    different operation, a different communicator of the same processes, a blocking instead of a non-blocking call, or
    the same operation with a different root or reduction operator. Also reports a root, an operator or a choice of
    communicator that is computed from the rank.

    ## Why is this bad?
    Calls on a communicator are matched in program order. Two calls that do not match hang, fail on some ranks, or
    silently exchange the wrong data: an `allreduce` with two operators returns different results on different ranks.

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
    High if the rank itself is tested or passed, medium if a value derived from it is. Both branches are compared as
    sets of the sequences that they can execute; roots and operators are compared only if both are constants. Not
    reported: point-to-point messages, which differ between the branches by design; intercommunicators; branches with
    several possible paths, one of which matches; unknown functions.

    ## Known false negatives
    Counts and datatypes; names of JAX barriers.

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
    detect = in_functions(rank_arguments)
    remedy = "make the same calls in the same order on all ranks{at_run_time}"

    variants: ClassVar = {
        "argument": Variant(
            "the {d.what} of {d.event.title} depends on the rank",
            "use the same {d.what} on all ranks",
            in_tests=Severity.ERROR,
        ),
        "drawn": Variant(
            "each process draws the {d.what} of {d.event.title} from its own random numbers",
            "draw the {d.what} on one process and broadcast it",
            in_tests=Severity.ERROR,
        ),
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
