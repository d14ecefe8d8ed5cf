"""JM402: communication in a finaliser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.findings.diagnostics import Severity

if TYPE_CHECKING:
    pass
from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.finalisers import communicating_finalisers
from jaxmpi_lint.rules.base import CheckRule


class CollectiveInDel(CheckRule):
    """Communication in `__del__`.

    ## What it does
    Reports collectives, point-to-point communication and `Free()` or `Disconnect()` of communicators in a `__del__`
    method, or in methods and functions that it calls.

    ## Why is this bad?
    Each rank runs `__del__` when its own garbage collector reclaims the object: immediately when the last reference
    disappears, later if the object is part of a reference cycle, in arbitrary order at interpreter exit, and never if
    the traceback of an exception keeps it alive. Freeing a communicator is collective as well. Ranks whose collectors
    run at different times enter collectives in different orders, and the program hangs intermittently.

    ## Example
    ```python
    from mpi4py import MPI


    class Solver:
        def __init__(self, comm=MPI.COMM_WORLD):
            self.comm = comm.Dup()

        def __del__(self):
            self.comm.Free()
    ```

    ## Use instead
    ```python
    from mpi4py import MPI


    class Solver:
        def __init__(self, comm=MPI.COMM_WORLD):
            self.comm = comm.Dup()

        def __enter__(self):
            return self

        def __exit__(self, *exception):
            self.comm.Free()
    ```

    ## Confidence
    Medium: as long as no object of the class is ever part of a cycle, CPython runs `__del__` at the same point of the
    program on all ranks. Silent for `COMM_SELF` and communicators derived from it; for messages that a worker loop in
    the same file receives as commands, because only the rank that sends commands has such objects; for a send, if the
    project has a receive outside of every `__del__` that may take it: the receiver waits, but no two collections have
    to agree; and for functions that communicate only on their first call and are also called elsewhere.

    ## Known false negatives
    A receiver that waits for an object which is never collected. Callbacks of `weakref.finalize`; windows and files
    that are freed; calls that cannot be resolved.

    ## Suppression
    `# jaxmpi-lint: ignore[JM402] reason`.

    ## References
    Python reference, data model, `object.__del__`. MPI 4.1, section 7.4.3: communicator destructors are collective.
    """

    code = "JM402"
    name = "collective-in-del"
    severity = Severity.WARNING
    detect = in_functions(communicating_finalisers)
    message = "{d.what} in `__del__`: ranks may collect the object at different times"
    remedy = "move it into a method that the program calls explicitly, or into `__exit__`"

    VALID = (
        """
        from mpi4py import MPI


        class Solver:
            def __init__(self, comm):
                self.comm = comm.Dup()

            def close(self):
                self.comm.Free()

            def __exit__(self, *exception):
                self.close()
        """,
        """
        from mpi4py import MPI


        class Scratch:
            def __init__(self):
                self.comm = MPI.COMM_SELF.Dup()

            def __del__(self):
                self.comm.Free()
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI


        class Solver:
            def __init__(self, comm):
                self.comm = comm.Dup()

            def __del__(self):
                self.comm.Free()  #! JM402
        """,
        """
        from mpi4py import MPI


        def say_goodbye(comm):
            comm.send("done", dest=0)


        class Worker:
            def __init__(self):
                self.comm = MPI.COMM_WORLD

            def __del__(self):
                say_goodbye(self.comm)  #! JM402
        """,
    )
