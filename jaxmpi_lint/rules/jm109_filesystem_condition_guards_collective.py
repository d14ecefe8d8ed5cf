"""JM109: collective guarded by file-system state."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause, Divergence
from jaxmpi_lint.checks.divergence_story import DivergenceDefect
from jaxmpi_lint.checks.files.tested import FileDivergence
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class FilesystemConditionGuardsCollective(DivergenceRule):
    """Collective guarded by file-system state.

    ## What it does
    Reports a collective that is executed or repeated depending on whether a file exists, how old it is or how large it
    is, if each process checks this separately.

    ## Why is this bad?
    Processes check at different times and, with local disks or a cached network file system, see different states. A
    slower process finds the file that a faster one has just created and takes the other branch. The remaining processes
    wait for it forever.

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
    High if the test queries the file system itself, medium if it tests a value derived from the answer. Low if the
    processes ask once for one path that the program does not change between their tests: an input that nothing in the
    project writes, makes or removes, or a file that is made only after a collective that follows the test, or after
    messages from the other processes, so that all have tested. Paths that the program computes may be equal, but two
    arguments of one function are not, nor a path that is computed as a whole and one that the text spells in part. Not
    reported if one process checks and broadcasts the answer (`bcast`, `broadcast_one_to_all`), if the answers are
    combined (`allreduce`), on `COMM_SELF`, if both branches communicate alike, or if a branch ends in an exception, in
    `sys.exit` or in a return from `main`, which is how programs validate their input.

    ## Known false negatives
    Files that are opened in a `try`; configuration that is read from files; a function that tests for a file and
    returns one of several values.

    ## Suppression
    `# jaxmpi-lint: uniform` on the test, if all processes are known to get the same answer.

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
    message = "execution of {d.event.title} depends on file-system state that each process reads separately"
    remedy = "test on one process and broadcast the result{at_run_time}"

    def defect(self, divergence: Divergence) -> DivergenceDefect:
        """A divergence, which is of little weight if all processes find the same."""
        return FileDivergence(divergence)

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
            if os.path.exists(path):
                comm.Barrier()  #! JM109
            elif comm.rank == 0:
                os.mkdir(path)
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

        def clear(path):
            os.remove(path)
        """,
    )
