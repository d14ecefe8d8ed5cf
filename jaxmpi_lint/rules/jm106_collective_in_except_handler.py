"""JM106: collective in an `except` handler."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.collectives.handler_collectives import handler_collectives
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class CollectiveInExceptHandler(CheckRule):
    """Collective in an `except` handler.

    ## What it does
    Reports a collective in an `except` handler, if the `try` body can fail on one process and succeed on the others.

    ## Why is this bad?
    An unreadable file, a full disk or a lack of memory affects one process. Only that process enters the handler and
    waits there for the others, which have continued and wait for it in their next collective: the job hangs, or two
    unrelated collectives are matched.

    ## Example
    ```python
    try:
        data = np.load(path)
    except OSError:
        data = comm.bcast(None, root=0)
    ```

    ## Use instead
    ```python
    try:
        data = np.load(path)
    except OSError:
        data = None
    failed = comm.allreduce(data is None, op=MPI.LOR)
    if failed:
        data = comm.bcast(data, root=0)
    ```

    ## Confidence
    High if the body accesses files, parses their contents, runs other programs, or raises under a condition that
    differs between processes. Medium if the handler catches every exception, or those of the operating system, and the
    body calls an unknown function.

    Not reported: handlers for exceptions that all processes raise alike (`ImportError`, `AttributeError`,
    `KeyboardInterrupt`, ...) or for an unknown class; handlers with a collective that is also called, in whatever
    spelling, in the body, in its `else`, or after the `try` on the path that the handler does not take; handlers that
    call `Abort`; `COMM_SELF`; `Shrink` and `Agree`, which are designed for handlers.

    ## Known false negatives
    Handlers for exception classes of the project; collectives that a called function executes on only some of its
    paths.

    ## References
    MPI 4.1, section 6.14 (collective operations are called by all processes of the group). Runtime check: JS101.
    """

    code = "JM106"
    name = "collective-in-except-handler"
    severity = Severity.ERROR
    specificity = 160
    independent_of = ("JM103",)
    in_tests = Severity.WARNING
    sanitizer = ("JS101",)
    detect = in_functions(handler_collectives)
    message = "only processes on which the `try` body failed reach this {d.ahead.title}: the others skip it"
    remedy = "set a flag in the handler, combine the flags of all processes after the `try`, then branch on the result"

    VALID = (
        """
        from mpi4py import MPI
        import numpy as np


        def load(comm, path):
            data = None
            try:
                data = np.load(path)
            except OSError as error:
                print(error)
            if comm.allreduce(data is None, op=MPI.LOR):
                raise RuntimeError("a process could not read its file")
            return data
        """,
        """
        from mpi4py import MPI


        def total(comm, values):
            try:
                comm.Allreduce(MPI.IN_PLACE, values)
            except Exception:
                values = comm.allreduce(values)
            return values
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI


        def load(comm, path):
            try:
                data = np.load(path)
            except OSError:
                data = comm.bcast(None, root=0)  #! JM106
            return data
        """,
        """
        import json
        from mpi4py import MPI


        class Settings:
            def __init__(self, comm):
                self.comm = comm

            def _ask_root(self):
                return self.comm.bcast(None)

            def read(self, path):
                try:
                    with open(path) as file:
                        return json.load(file)
                except (OSError, json.JSONDecodeError):
                    return self._ask_root()  #! JM106
        """,
    )
