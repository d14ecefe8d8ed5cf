"""JM219: sum over all ranks divided by the number of elements of one rank."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.own_counts import own_counts
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class TotalDividedByOwnCount(CheckRule):
    """Sum over all ranks divided by the number of elements of one rank.

    ## What it does
    Reports the quotient of a sum of elements over all ranks (`allreduce` or `Allreduce` with `MPI.SUM`) and the number
    of elements that this rank holds (`len`, `size`, `shape`), if the elements are a share of the data: scattered, cut
    out by the rank, or of a length that differs between ranks. Also where a loop or a method adds both of them up, side
    by side, in variables or fields.

    ## Why is this bad?
    The result is too large by about the number of ranks, and differs between ranks if their shares differ. With one
    rank it is right, so tests do not show it.

    ## Example
    ```python
    mine = comm.scatter(parts)
    mean = comm.allreduce(mine.sum()) / len(mine)
    ```

    ## Use instead
    ```python
    mine = comm.scatter(parts)
    mean = comm.allreduce(mine.sum()) / comm.allreduce(len(mine))
    ```

    ## Confidence
    Medium: the quotient may be intended. Silent if it is divided by the number of ranks as well, and for arrays that
    all ranks have in full, such as histograms.

    ## Known false negatives
    Numbers that are counted apart from the sums; data that a function of the project returns.

    ## References
    MPI 4.1, section 6.9.6: all processes receive the result of an all-reduce.
    """

    code = "JM219"
    name = "total-divided-by-own-count"
    severity = Severity.WARNING
    in_tests = "silent"  # tests compare with such quotients
    detect = in_functions(own_counts)
    message = "a sum over all ranks is divided by `{d.count}`, the number of elements of `{d.data}` on this rank only"
    remedy = "divide by the number of elements of all ranks, `comm.allreduce({d.count})`"

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        mine = comm.scatter([[rank] * 4 for rank in range(comm.size)])
        mean = comm.allreduce(sum(mine)) / comm.allreduce(len(mine))
        same = comm.allreduce(sum(mine)) / (len(mine) * comm.size)
        again = comm.allreduce(sum(mine)) / len(mine) / comm.size
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        counts, _ = np.histogram(np.random.default_rng(comm.rank).normal(size=100), bins=10)
        per_bin = comm.allreduce(counts.sum()) / counts.size
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        mine = comm.scatter([[rank] * 4 for rank in range(comm.size)])
        mean = comm.allreduce(sum(mine)) / len(mine)  #! JM219
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        samples = np.arange(1000.0)[comm.rank :: comm.size]
        total = np.empty(1)
        comm.Allreduce(np.array([samples.sum()]), total, op=MPI.SUM)
        own_sum = float((samples**2).sum())
        n = samples.shape[0]
        square = comm.allreduce(own_sum, op=MPI.SUM) / n  #! JM219
        """,
    )
