"""JM103: exception on some ranks before a collective."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.exits.divergent_exit_story import lone_failures
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class DivergentRaiseBeforeCollective(CheckRule):
    """Exception on some ranks before a collective.

    ## What it does
    Reports a `raise`, an `assert` or a call of `sys.exit` that only some ranks (one role) can reach, if a further
    condition holds, while the other ranks must enter a collective on the same communicator. Several such exits of one
    role are one finding if the other ranks wait at the same place. A role may also be selected by per-process data: a
    share, the clock, an unseeded random number. An exception may be raised in a called function, if it is for what this
    function finds in files, in other programs or in such data. Also reports a `raise` that is executed if a file
    exists, where a process creates this file later, before all processes have tested for it: the last process to test
    raises alone.

    ## Why is this bad?
    An exception ends only one process. This process exits, or blocks in `MPI_Finalize`, while the others wait for it in
    the collective. Instead of an error message about the invalid input, the job hangs until its time limit.

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
    High if the rank itself is tested and the exception is raised or the process exits. Medium for assertions that check
    only arguments, files or data that was read, if a value derived from the rank or other data of the process is
    tested, and for exceptions of called functions. Low for other
    assertions, also about a file that the function has just made, and for exceptions that only the shape of an array
    decides which a function of the project has computed: their author expects these never to happen.

    Not reported: an exception after which the function itself, or every known caller, continues or calls `Abort`;
    programs with a `sys.excepthook` that calls `Abort`, or whose text says that they are started with
    `python -m mpi4py`, which ends every process; functions that the whole role must not call (`if rank != 0: raise`),
    unless the program provably calls them on all ranks; exits where the other ranks raise or exit under the same
    condition, or fail because a name is unbound or a variable is None; exits after a loop over common items that
    has not found that of the own rank; roles that communicate before they raise; exceptions of called functions
    that the arguments of the call rule out; conditions that hold only in jobs with one process;
    `NotImplementedError`; assertions that only help a type checker or check what a collective returned. Other
    assertions in tests have the severity info.

    ## Known false negatives
    Exceptions of library calls; collectives that only the caller's caller executes afterwards; conditions on received
    or unknown values that are not inside a test of the rank. Programs that only job scripts start with
    `python -m mpi4py` are not recognised as such.

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
    message = "only {d.who} can {d.fails}: the others wait in {d.ahead.title}"
    remedy = "broadcast the failure and raise on all ranks, or call `Abort`"

    variants: ClassVar = {
        "late": Variant(
            "a slower process can raise here, because a faster one makes `{d.question}` true: the others wait in"
            " {d.ahead.title}",
            "test on one process and broadcast the result, so that all processes raise",
            in_tests=Severity.WARNING,
        ),
        "data": Variant(
            "a process can raise in this call, depending on its data: the others wait in {d.ahead.title}",
            "combine the outcome with a collective, so that all processes raise",
        ),
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
