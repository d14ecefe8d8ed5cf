"""JM804: collectives that depend on a per-process random number."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class UnseededRandomSteers(DivergenceRule):
    """Collective that depends on a per-process random number.

    ## What it does
    Reports a collective that is executed, skipped or repeated depending on a random number that each process draws from
    a separate generator without a seed, or with a seed that differs.

    Also reports ranks that each shuffle the same elements by their own generator and then take every `size`-th of them
    from their rank on (`order[rank::size]`).

    ## Why is this bad?
    Without a uniform seed, every process draws different numbers. Some processes enter the collective, the others do
    not. Shares of different orders overlap: some elements are computed twice, others by no process.

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
    High where the number itself is tested, medium where it reaches the test through other values, and for shares of an
    order. Low for a check of data that random numbers have made, after which the process exits. Silent where the
    program seeds the generator with a value that may be uniform, and where the number is broadcast first.

    ## Known false negatives
    Seeds that are not statically known to differ; shares of an order that are taken in other ways than by such a slice.

    ## Suppression
    `# jaxmpi-lint: uniform` on the test, if its outcome is known to be the same on all processes.

    ## References
    Python documentation, `random`: without a seed, the entropy of the operating system is used. Runtime check: JS101.
    """

    code = "JM804"
    name = "unseeded-random-steers"
    severity = Severity.WARNING
    specificity = 90
    in_tests = Severity.INFO
    sanitizer = ("JS101", "JS506")
    selects = Cause.RANDOM
    message = "{d.event.title} depends on a per-process random number"
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
