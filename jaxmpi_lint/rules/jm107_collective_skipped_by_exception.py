"""JM107: a process on which work fails skips the collective behind it, and nobody learns of it."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.collectives.skipped_collectives import skipped_collectives
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class CollectiveSkippedByException(CheckRule):
    """Collective that a swallowed exception skips.

    ## What it does
    Reports a collective operation in a `try` behind work that can fail on one process alone: on files, on what they
    hold, in other programs. The handler takes the exception and goes on without a matching collective.

    ## Why is this bad?
    The process on which the work failed jumps over the collective. The others wait there for it, or are matched with
    its next collective, which means something else.

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
    High when each process visibly works on something of its own or raises on a condition of its own, medium when all
    may work on the same file. Silent when the handler raises again, ends the program or calls `Abort`, or has a
    collective itself (JM106 speaks of those); when the process performs the same collective behind the handler, or by
    trying once more; when only `FileNotFoundError` is taken and all processes ask for the same file; and for files
    that all processes open together (`driver="mpio"`, `comm=`).

    ## Known false negatives
    Failures inside functions of the project; errors of computations.

    ## References
    MPI 4.1, section 6.14 (collective operations are called by all processes of the group). Runtime check: JS101.
    """

    code = "JM107"
    name = "collective-skipped-by-exception"
    severity = Severity.WARNING
    specificity = 150
    independent_of = ("JM103",)
    sanitizer = ("JS101",)
    detect = in_functions(skipped_collectives)
    message = "a process on which `{d.work.text}` fails skips this {d.ahead.title}: the others wait for it"
    remedy = "move the collective behind the `try`, so that every process performs it"

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
