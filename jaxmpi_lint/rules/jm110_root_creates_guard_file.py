"""JM110: collective guarded by a racy file-existence check."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.collectives.guard_files import guard_files
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class RootCreatesGuardFile(CheckRule):
    """Collective guarded by a racy file-existence check.

    ## What it does
    Reports a test for a file or directory whose absence leads into a collective, if a process creates that same file or
    directory before the collective.

    ## Why is this bad?
    Processes do not execute the test at the same time (TOCTOU). A slower process finds the file that a faster one has
    just created, takes its work as done and skips the collective, in which the others wait for it.

    ## Example
    ```python
    if not os.path.exists(folder):
        if comm.rank == 0:
            os.makedirs(folder)
        comm.Barrier()
    ```

    ## Use instead
    ```python
    if comm.rank == 0:
        os.makedirs(folder, exist_ok=True)
    comm.Barrier()
    ```

    ## Confidence
    High if a call of the standard library or of numpy creates the tested path itself. Medium if a program is run with
    that path, or if a function is called with it whose name indicates that it creates something. Not reported if only
    one rank tests and the result is broadcast, if all processes enter a collective between the test and the creation,
    if the creator receives a message from each of the others in between, or if the processes that find the file execute
    the same collective.

    ## Known false negatives
    Paths that are spelt in two ways; files created in other functions; names that are assigned more than once.

    ## References
    MPI 4.1, section 6.14 (collective operations are called by all processes of the group). Runtime check: JS101.
    """

    code = "JM110"
    name = "root-creates-guard-file"
    severity = Severity.ERROR
    specificity = 170
    independent_of = ("JM103",)
    sanitizer = ("JS101",)
    detect = in_functions(guard_files)
    message = "a slower process skips this {d.ahead.title}, because a faster one makes `{d.question}` true"
    remedy = "test on one process and broadcast the result, or make every process reach the collective"

    VALID = (
        """
        import os
        from mpi4py import MPI


        def prepare(comm, folder):
            if comm.rank == 0:
                if not os.path.exists(folder):
                    os.makedirs(folder)
            comm.Barrier()
        """,
        """
        import os
        from mpi4py import MPI


        def prepare(comm, folder):
            missing = comm.bcast(not os.path.exists(folder) if comm.rank == 0 else None)
            if missing:
                if comm.rank == 0:
                    os.makedirs(folder)
                comm.Barrier()
        """,
    )
    INVALID = (
        """
        import os
        from mpi4py import MPI


        def prepare(comm, folder):
            if not os.path.exists(folder):
                if comm.rank == 0:
                    os.makedirs(folder)
                comm.Barrier()  #! JM110
        """,
        """
        import os
        from mpi4py import MPI


        def fetch(comm, address, path, download):
            def wait():
                comm.Barrier()

            if not os.path.exists(path):
                if comm.rank == 0:
                    download_file(address, path)
                wait()  #! JM110


        def download_file(address, path):
            print(address, path)
        """,
    )
