"""JM402: a finaliser communicates."""

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
    Finds collectives, messages and `Free()` or `Disconnect()` of communicators that run in a `__del__` method, also
    inside methods and functions that it calls.

    ## Why is this bad?
    Each process runs `__del__` when its own garbage collector gets to the object: at once where no reference is left,
    some time later where the object is part of a reference cycle, in any order at the end of the interpreter, never if
    an exception's traceback keeps it alive. Freeing a communicator is collective as well. Processes whose collectors
    run at different moments enter their collectives in different orders, and the program hangs now and then.

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
    Medium: as long as no object of the class is ever part of a cycle, CPython runs `__del__` at the same place of the
    program on all processes. Silent for `COMM_SELF` and what is made from it; for what a loop of one role in the same
    file takes for a command, because only who gives commands has such objects; and for functions that communicate once
    and are called elsewhere as well.

    ## Known false negatives
    Callbacks of `weakref.finalize`; windows and files that are freed; functions that are not known.

    ## Suppression
    `# jaxmpi-lint: ignore[JM402] reason`.

    ## References
    Python reference, data model, `object.__del__`. MPI 4.1, section 7.4.3: communicator destructors are collective.
    """

    code = "JM402"
    name = "collective-in-del"
    severity = Severity.WARNING
    detect = in_functions(communicating_finalisers)
    message = "{d.what} in `__del__`: each process collects the object at a time of its own"
    remedy = "do it in a method that the program calls, or in `__exit__`"

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
