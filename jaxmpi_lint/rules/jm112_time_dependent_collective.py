"""JM112: collective guarded by a clock."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class TimeDependentCollective(DivergenceRule):
    """Collective guarded by a clock.

    ## What it does
    Reports a collective that is executed or repeated depending on the time that each process reads from its own clock.

    ## Why is this bad?
    Clocks differ between processes, and so do the times at which they are read. Near the limit, one process finds its
    time expired and exits the loop, while a different one executes one more iteration and blocks in its collective
    forever.

    ## Example
    ```python
    start = time.time()
    while time.time() - start < limit:
        step(comm)
        comm.Barrier()
    ```

    ## Use instead
    ```python
    start = time.time()
    while comm.bcast(time.time() - start < limit, root=0):
        step(comm)
        comm.Barrier()
    ```

    ## Confidence
    High if the clock itself is tested, medium if a value derived from it is tested. Not reported if the processes agree
    on the answer (`bcast`, `allreduce`) before it is tested, and if both branches communicate alike.

    ## Known false negatives
    Signals and timers; time limits inside libraries.

    ## Suppression
    `# jaxmpi-lint: uniform` on the test, if all processes are known to get the same answer.

    ## References
    MPI 4.1, section 6.14 (correctness of collective operations). Runtime check: JS101.
    """

    code = "JM112"
    name = "time-dependent-collective"
    severity = Severity.WARNING
    specificity = 80
    in_tests = Severity.INFO
    sanitizer = ("JS101",)
    selects = Cause.CLOCK
    message = "execution of {d.event.title} depends on the clock of each process"
    remedy = "test on one process and broadcast the result{at_run_time}"

    VALID = (
        """
        import time
        from mpi4py import MPI

        def run(comm, limit):
            start = time.time()
            while comm.bcast(time.time() - start < limit):
                comm.Barrier()
        """,
        """
        import time
        from mpi4py import MPI

        def timed(comm):
            start = MPI.Wtime()
            comm.Barrier()
            elapsed = MPI.Wtime() - start
            if elapsed > 1.0:
                print("slow", elapsed)
        """,
    )
    INVALID = (
        """
        import time
        from mpi4py import MPI

        def run(comm, limit):
            start = time.time()
            while time.time() - start < limit:
                comm.Barrier()  #! JM112
        """,
        """
        import time
        from mpi4py import MPI

        def is_over(start, limit):
            return time.monotonic() - start > limit

        def run(comm, start):
            if is_over(start, 10):
                return None
            return comm.allreduce(1)  #! JM112
        """,
    )
