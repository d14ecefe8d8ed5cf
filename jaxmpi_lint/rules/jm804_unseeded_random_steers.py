"""JM804."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class UnseededRandomSteers(DivergenceRule):
    """Random numbers of each process decide about a collective.

    ## What it does
    Reports a collective that is reached or not, or repeated, depending on a random number that each process draws from
    a generator of its own, which gets no seed or one that differs.

    ## Why is this bad?
    Without a common seed every process draws other numbers. Some enter the collective, the others do not.

    ## Example
    ```python
    if random.random() < 0.1:
        comm.Barrier()
    ```

    ## Use instead
    ```python
    if comm.bcast(random.random(), root=0) < 0.1:
        comm.Barrier()
    ```

    ## Confidence
    High where the number itself is tested, medium where it comes through other values. Silent where the
    program gives the generator a seed that may be the same everywhere, and where the number is broadcast first.

    ## Known false negatives
    Seeds that differ where the text does not show it; numbers that choose a root or an order.

    ## Suppression
    `# jaxmpi-lint: uniform` on the test, where all processes are known to come to the same answer.

    ## References
    Python documentation, `random`: without a seed the system's entropy is used. Runtime check: JS101.
    """

    code = "JM804"
    name = "unseeded-random-steers"
    severity = Severity.WARNING
    specificity = 90
    in_tests = Severity.INFO
    sanitizer = ("JS101", "JS506")
    selects = Cause.RANDOM
    message = "{d.event.title} is reached or not by a random number of each process"
    remedy = "draw the number on one process and broadcast it{at_run_time}"

    VALID = (
        """
        import random
        from mpi4py import MPI

        def maybe(comm):
            if comm.bcast(random.random()) < 0.1:
                comm.Barrier()
        """,
        """
        import random
        from mpi4py import MPI

        random.seed(7)

        def maybe(comm):
            if random.random() < 0.1:
                comm.Barrier()
        """,
    )
    INVALID = (
        """
        import random
        from mpi4py import MPI

        def maybe(comm):
            if random.random() < 0.1:
                comm.Barrier()  #! JM804
        """,
        """
        import random
        from mpi4py import MPI

        def exchange(comm):
            comm.Barrier()
            comm.Barrier()

        def run(comm):
            if random.choice([True, False]):
                exchange(comm)  #! JM804
        """,
    )
