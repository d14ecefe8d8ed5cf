"""JM211: None kept as a result."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.kept_none import kept_none, without_assignment
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example


class NoneOfBufferCall(CheckRule):
    """None kept as a result.

    ## What it does
    Reports a name or a field that is assigned the result of a blocking upper-case call of mpi4py, such as `comm.Bcast`,
    or of `wait` on the request of one such as `comm.Irecv`, and is read afterwards. So is the result of a function of
    the project that makes such a call with an argument and returns nothing.

    ## Why is this bad?
    These calls return None: the data arrives in the buffer that is passed. The name no longer refers to the buffer, and
    code that tests it for None continues with wrong values.

    ## Example
    ```python
    weights = comm.Bcast(weights, root=0)
    ```

    ## Use instead
    ```python
    comm.Bcast(weights, root=0)
    ```

    ## Fix safety
    Unsafe: the fix removes the assignment, and later code may have handled the None.

    ## Confidence
    High: the call is one of mpi4py's own methods, or the body of the function is visible and no class overrides it.

    ## Known false negatives
    Results that are returned or passed on at once.

    ## References
    mpi4py, tutorial: methods with an upper-case initial communicate buffers, and return None.
    """

    code = "JM211"
    name = "none-of-a-buffer-call"
    severity = Severity.ERROR
    fix = Applicability.UNSAFE
    detect = in_functions(kept_none)
    repair = without_assignment
    message = "`{d.method}` returns None, so `{d.name}` no longer holds any data"
    remedy = "make the call a statement, and use the buffer that it fills"

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        weights = np.zeros(3)
        comm.Bcast(weights, root=0)
        request = comm.Ibcast(weights, root=0)
        request.Wait()
        unused = comm.Barrier()
        print(weights)
        """,
        """
        from mpi4py import MPI

        class Parallel:
            def __init__(self, comm):
                self.comm = comm

            def Bcast(self, values):
                self.comm.Bcast(values, root=0)
                return values

        def share(values):
            values = Parallel(MPI.COMM_WORLD).Bcast(values)
            return values.sum()
        """,
    )
    INVALID = (
        Example(
            """
            import numpy as np
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            weights = np.zeros(3)
            weights = comm.Bcast(weights, root=0)  #! JM211
            print(weights.sum())
            """,
            """
            import numpy as np
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            weights = np.zeros(3)
            comm.Bcast(weights, root=0)
            print(weights.sum())
            """,
        ),
        """
        import numpy as np
        from mpi4py import MPI

        def total(comm, values):
            result = np.empty_like(values)
            result = comm.Allreduce(values, result, op=MPI.SUM)  #! JM211
            return result
        """,
    )
