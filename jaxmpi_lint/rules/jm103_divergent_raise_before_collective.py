"""JM103: one role of the processes fails alone, the others wait for it in a collective."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.exits.divergent_exit_story import lone_failures
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class DivergentRaiseBeforeCollective(CheckRule):
    """Exception of one rank before a collective.

    ## What it does
    Reports a `raise`, an `assert` or a call of `sys.exit` that only some ranks can come to, under a condition of its
    own, while the other ranks surely go on into a collective of the same communicator. Several that one role comes to,
    and for which the others wait in the same place, are one finding. Also a `raise` where a file is
    there already that a process makes further on, before all have asked: the last to ask raises alone.

    ## Why is this bad?
    An exception ends one process only. It leaves the program, or waits in `MPI_Finalize`, and the others wait for it
    in the collective: instead of a message about the wrong input there is a job that hangs until its time is up.

    ## Example
    ```python
    if comm.rank == 0:
        if not os.path.exists(path):
            raise FileNotFoundError(path)
        config = read(path)
    config = comm.bcast(config, root=0)
    ```

    ## Use instead
    ```python
    error = None
    if comm.rank == 0:
        if os.path.exists(path):
            config = read(path)
        else:
            error = FileNotFoundError(path)
    error, config = comm.bcast((error, config), root=0)
    if error is not None:
        raise error
    ```

    ## Confidence
    High when the rank itself is tested and the exception is raised or the process exits, medium for assertions that
    visibly check arguments, files or what was read, and where the rank reaches the test through other values. Low for
    other assertions: their author holds them to be always true. Silent when the function itself takes the exception and
    goes on or calls `Abort`; when every caller that is known does; when the program installs a `sys.excepthook` that
    calls `Abort`; when the role as a whole must not call the function (`if rank != 0: raise`), unless the program
    visibly brings all ranks there; when the other ranks raise or leave on the same condition; when the role has told
    others something before it raises; when the condition means that there is one process only; and for
    `NotImplementedError`. Assertions that only help a type checker, or check what a collective returned, are silent;
    other assertions in tests are information only.

    ## Known false negatives
    Exceptions of library calls and of called functions; collectives that only the caller's caller performs
    afterwards; conditions on local values that no test of a rank surrounds; programs that are always started with
    `python -m mpi4py`, which ends every process, are not recognised as such.

    ## References
    MPI 4.1, section 6.14 (collective operations are called by all processes) and section 9.3 (error handling). mpi4py
    documentation, `mpi4py.run`: an unhandled exception of one process can leave the others in a deadlock.
    """

    code = "JM103"
    name = "divergent-raise-before-collective"
    severity = Severity.WARNING
    specificity = 140
    in_tests = Severity.INFO
    sanitizer = ("JS503",)
    detect = in_functions(lone_failures)
    message = "only {d.who} can {d.fails}: the others go on and wait in {d.ahead.title}"
    remedy = "let every rank learn of the failure: broadcast it and raise everywhere, or call `Abort`"

    variants: ClassVar = {
        "late": Variant(
            "a process that is late can raise here, as `{d.question}` is true once another one has been behind it: the"
            " others wait in {d.ahead.title}",
            "ask on one rank and broadcast the answer, so that every rank raises",
            in_tests=Severity.WARNING,
        )
    }

    VALID = (
        """
        from mpi4py import MPI


        def load(comm, path):
            error = data = None
            if comm.rank == 0:
                try:
                    if not path:
                        raise ValueError("no path")
                    data = open(path).read()
                except (OSError, ValueError) as exception:
                    error = exception
            error = comm.bcast(error)
            if error is not None:
                raise error
            return comm.bcast(data)
        """,
        """
        from mpi4py import MPI


        def check(comm, options):
            if comm.rank == 0:
                if options.steps < 0:
                    print("steps must not be negative")
                    comm.Abort(1)
                    raise SystemExit(1)
            comm.Barrier()
        """,
    )
    INVALID = (
        """
        import os
        from mpi4py import MPI


        def load(comm, path):
            if comm.rank == 0:
                if not os.path.exists(path):
                    raise FileNotFoundError(path)  #! JM103
                data = open(path).read()
            else:
                data = None
            return comm.bcast(data)
        """,
        """
        import json
        import os
        from mpi4py import MPI


        def read(comm, path):
            if comm.rank != 0:
                return None
            if not os.path.exists(path):
                raise FileNotFoundError(path)  #! JM103
            with open(path) as file:
                return json.load(file)


        def main():
            comm = MPI.COMM_WORLD
            config = read(comm, "config.json")
            config = comm.bcast(config)
            print(config)
        """,
    )
