"""JM110: the file whose absence leads into a collective is made on the way there."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.collectives.guard_files import guard_files
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class RootCreatesGuardFile(CheckRule):
    """Absence of a file leads to a collective, and the file is made before it.

    ## What it does
    Reports a test for a file or folder whose absence leads into a collective operation, where a process makes that
    very file or folder before the collective.

    ## Why is this bad?
    Processes do not come to the test at the same time. A process that is late finds the file that another has just
    made, believes that there is nothing to do and skips the collective, in which the others wait for it.

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
    High when a call of the standard library or of numpy visibly makes the path that was asked for; medium when a
    program is run with it, or a function is called with it whose name says that it makes something. Silent when only
    one rank asks and the answer is broadcast, when all processes meet in a collective between the question and the
    making, and when the processes that find the file perform the same collective.

    ## Known false negatives
    Paths that are spelt in two ways; files made in other functions; names that are bound more than once.

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
    message = "a process that is late skips this {d.ahead.title}: `{d.question}` is true once another one has been here"
    remedy = "ask on one rank and broadcast the answer, or let every process come to the collective"

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
