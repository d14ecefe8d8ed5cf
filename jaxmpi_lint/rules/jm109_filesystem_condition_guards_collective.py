"""JM109."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class FilesystemConditionGuardsCollective(DivergenceRule):
    """State of the file system decides about a collective.

    ## What it does
    Reports a collective that is reached or not, or repeated, depending on whether a file exists, how old or how large
    it is, as each process finds out for itself.

    ## Why is this bad?
    Processes look at different moments and, with local disks or a cached network file system, at different states. One
    that comes late finds the file that another has just made, takes the other arm, and the rest waits for it for ever.

    ## Example
    ```python
    if not os.path.exists(path):
        if comm.rank == 0:
            write_table(path)
        comm.Barrier()
    ```

    ## Use instead
    ```python
    missing = comm.bcast(comm.rank == 0 and not os.path.exists(path), root=0)
    if missing:
        if comm.rank == 0:
            write_table(path)
        comm.Barrier()
    ```

    ## Confidence
    High where the test asks the file system itself, medium where the answer comes through other values. Silent where
    one process asks and tells the others (`bcast`, `broadcast_one_to_all`), where the answers are combined
    (`allreduce`), on `COMM_SELF`, where both arms communicate alike, and
    where an arm ends in an exception, in `sys.exit` or leaves `main`: that is how input is checked.

    ## Known false negatives
    Files that are opened in a `try`; configuration that is read from files; a function that tests for a file and
    returns one of several values.

    ## Suppression
    `# jaxmpi-lint: uniform` on the test, where all processes are known to come to the same answer.

    ## References
    MPI 4.1, section 6.14 (correctness of collective operations). Runtime check: JS101.
    """

    code = "JM109"
    name = "filesystem-condition-guards-collective"
    severity = Severity.WARNING
    specificity = 70
    in_tests = Severity.INFO
    sanitizer = ("JS101",)
    selects = Cause.FILES
    message = "{d.event.title} is reached or not as each process sees the file system"
    remedy = "let one process ask and broadcast the answer{at_run_time}"

    VALID = (
        """
        import os
        from mpi4py import MPI

        def prepare(comm, path):
            missing = comm.bcast(not os.path.exists(path) if comm.rank == 0 else None)
            if missing:
                comm.Barrier()
        """,
        """
        import os
        from mpi4py import MPI

        def clean(comm, path):
            if os.path.exists(path):
                os.remove(path)
            comm.Barrier()
        """,
    )
    INVALID = (
        """
        import os
        from mpi4py import MPI

        def prepare(comm, path):
            if not os.path.exists(path):
                comm.Barrier()  #! JM109
        """,
        """
        import os
        from mpi4py import MPI

        def cached(path):
            return os.path.isfile(path)

        def load(comm, path):
            if cached(path):
                return None
            comm.Barrier()  #! JM109
            return path
        """,
    )
