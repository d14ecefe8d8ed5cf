"""JM107: collective skipped by a caught exception."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.collectives.skipped_collectives import skipped_collectives
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class CollectiveSkippedByException(CheckRule):
    """Collective skipped by a caught exception.

    ## What it does
    Reports a collective in a `try` body after work that can fail on a single process: work on files, on their contents,
    or in other programs, and calls of functions that do such work or raise under a per-process condition. The handler
    catches the exception and continues without a matching collective. Also reports a collective after the `try` if the
    work belongs to one process and the handler exits by `continue`, `break` or `return`. A computation (a division, an
    element, a solver) counts if its operand differs between processes and the handler names the exception. The handler
    may be in a caller, as in a decorator, if it names an exception of numbers, such as `FloatingPointError`.

    ## Why is this bad?
    The process on which the work failed skips the collective. The other processes wait for it there, or their call
    matches its next collective, which has a different purpose.

    ## Example
    ```python
    try:
        data = np.load(path)
        comm.Barrier()
    except OSError:
        data = None
    ```

    ## Use instead
    ```python
    try:
        data = np.load(path)
    except OSError:
        data = None
    comm.Barrier()
    ```

    ## Confidence
    High if each process provably works on separate data or raises under a per-process condition, medium if all
    processes may work on the same file, if a computation or a called function fails, or if the collective follows the
    `try`. Not reported: handlers that raise again or call `Abort`; handlers that exit, unless a test of each process
    raises the exception (the exit then waits in `MPI_Finalize`); handlers that contain a collective themselves (see
    JM106); processes that execute the same collective after the handler or by a retry; handlers for `FileNotFoundError`
    alone, if all processes access the same file; files that all processes open collectively (`driver="mpio"`, `comm=`);
    loops that try again until the work succeeds.

    ## Known false negatives
    Failures more than three calls away; errors in computations whose operands are not known to differ.

    ## References
    MPI 4.1, section 6.14 (collective operations are called by all processes of the group). Runtime check: JS101.
    """

    code = "JM107"
    name = "collective-skipped-by-exception"
    severity = Severity.WARNING
    specificity = 150
    independent_of = ("JM102", "JM103")
    sanitizer = ("JS101",)
    detect = in_functions(skipped_collectives)
    message = "a process on which `{d.work.text}` fails skips this {d.ahead.title}: the others wait for it"
    remedy = "move the collective after the `try`, so that every process executes it"

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI


        def load(comm, path):
            ok = True
            data = None
            try:
                data = np.load(path)
            except OSError:
                ok = False
            ok = comm.allreduce(ok, op=MPI.LAND)
            return data if ok else None
        """,
        """
        from mpi4py import MPI


        def write(comm, path, text):
            try:
                comm.Barrier()
                with open(path, "w") as file:
                    file.write(text)
            except OSError as error:
                print(error)
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI


        def load(comm, path):
            try:
                data = np.load(path)
                comm.Barrier()  #! JM107
            except OSError:
                data = None
            return data
        """,
        """
        import json
        from mpi4py import MPI


        class Reader:
            def __init__(self, comm):
                self.comm = comm
                self.config = {}

            def read(self, path):
                try:
                    with open(path) as file:
                        self.config = self.comm.bcast(json.load(file))  #! JM107
                except Exception as error:
                    print("not read:", error)
        """,
    )
