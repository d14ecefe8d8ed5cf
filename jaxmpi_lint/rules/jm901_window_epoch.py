"""JM901: one-sided operation outside of an epoch."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class WindowEpoch(Rule):
    """One-sided operation outside of an epoch.

    ## What it does
    Reports `Put`, `Get` and `Accumulate` on a window without an open epoch (`Fence`, `Lock`, `Start`), an epoch that is
    opened twice, and an epoch that is not closed. Also a value that several ranks `Get` under a shared lock and replace
    by a `Put`, if nothing orders them, and memory of a window that its rank uses in the same epoch between fences in
    which another rank changes it.

    ## Why is this bad?
    Outside of an epoch the operation is erroneous: MPI raises an exception, or the data is transferred at an undefined
    time. An epoch that is not closed does not complete its operations. A shared lock lets
    several ranks in: two that count up a counter may both read the same number. Before the next `Fence` the memory that
    a `Put` or `Accumulate` changes has old values, new ones, or parts of both.

    ## Example
    ```python
    window.Put(cells, right)
    window.Fence()
    ```

    ## Use instead
    ```python
    window.Fence()
    window.Put(cells, right)
    window.Fence()
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process, for
    values that several ranks replace, and for memory that others change. Replaced values count only if target and
    displacement are known, and if the program builds no lock from `Fetch_and_op` or `Compare_and_swap`. Uses of memory
    count if they are of all of it, and nothing else orders them before the operation.

    ## Known false negatives
    Other conflicting accesses of several ranks in one epoch; uses of a part of the memory. Functions that no script of
    the project calls; programs in which an unknown call may communicate; jobs with more than four ranks.

    ## References
    MPI 4.1, section 12.5 (synchronization calls) and section 12.7 (semantics and correctness).
    """

    code = "JM901"
    name = "window-epoch"
    severity = Severity.ERROR
    in_tests = Severity.WARNING

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        memory, cells = np.zeros(4), np.ones(4)
        window = MPI.Win.Create(memory, comm=comm)
        window.Fence()
        window.Put(cells, (comm.rank + 1) % comm.size)
        window.Fence()
        window.Free()
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        memory, cells = np.zeros(4), np.ones(4)
        window = MPI.Win.Create(memory, comm=comm)
        if comm.rank == 1:
            window.Lock(0)
            window.Get(cells, 0)
            window.Unlock(0)
        window.Free()
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        memory, cells = np.zeros(4), np.ones(4)
        window = MPI.Win.Create(memory, comm=comm)
        window.Put(cells, (comm.rank + 1) % comm.size)  #! JM901
        window.Fence()
        window.Free()
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        memory, cells = np.zeros(4), np.ones(4)
        window = MPI.Win.Create(memory, comm=comm)
        if comm.rank == 1:
            window.Lock(0)
            window.Put(cells, 0)
            window.Unlock(0)
            window.Put(cells, 0)  #! JM901
        window.Free()
        """,
    )
