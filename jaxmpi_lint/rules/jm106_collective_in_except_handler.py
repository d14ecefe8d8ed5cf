"""JM106: a handler performs a collective that only the processes enter on which something failed."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.collectives.handler_collectives import handler_collectives
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class CollectiveInExceptHandler(CheckRule):
    """Collective in an `except` handler.

    ## What it does
    Reports a collective operation that stands in an `except` handler, where what was tried can fail on one process
    and succeed on the others.

    ## Why is this bad?
    A file that cannot be read, a full disk or too little memory strike one process. Only that process enters the
    handler, and waits there for the others, which have gone on and wait for it in their next collective: a hang, or
    two different collectives that take each other for a match.

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
    High when the body works on files, reads what they hold, runs other programs, or raises on a condition that
    differs between processes. Medium when the handler takes every exception, or those of the operating system, and
    the body makes a call of which nothing is known. Silent when the handler takes what all processes see alike
    (`ImportError`, `AttributeError`, `KeyboardInterrupt`, ...) or a class of which nothing is known; when the same
    collective, in whatever spelling, stands in the body, in its `else`, or behind the `try` on the path that the
    handler does not take; when the handler calls `Abort`; on `COMM_SELF`; and for `Shrink` and `Agree`, which are
    made for handlers.

    ## Known false negatives
    Handlers for exceptions of the project's own classes; collectives that a called function performs on some of its
    paths only.

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
    message = "only processes on which the `try` failed reach this {d.ahead.title}: the others go on without it"
    remedy = "keep the failure in a flag, combine the flags of all processes behind the `try`, then act together"

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
