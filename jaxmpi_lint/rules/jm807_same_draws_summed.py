"""JM807: sum over ranks of random numbers that are the same on all of them."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class SameDrawsSummed(Rule):
    """Sum over ranks of random numbers that are the same on all of them.

    ## What it does
    Reports a generator of random numbers that has the same seed on all ranks, where a reduction sums what the ranks
    compute from its numbers, and all contributions are equal.

    ## Why is this bad?
    All ranks draw the same samples. The sum is a multiple of the result of one rank: more ranks add no information, and
    an error estimate that counts all samples is too small. The program ends normally.

    ## Example
    ```python
    rng = np.random.default_rng(42)
    inside = int((np.hypot(rng.random(n), rng.random(n)) < 1).sum())
    total = comm.reduce(inside)
    ```

    ## Use instead
    ```python
    rng = np.random.default_rng([42, comm.rank])
    inside = int((np.hypot(rng.random(n), rng.random(n)) < 1).sum())
    total = comm.reduce(inside)
    ```

    ## Confidence
    Medium: a warning, since a test of the reduction itself may contribute equal numbers on purpose. Silent where the
    contributions may differ: each rank takes a share of numbers that all draw, or an unknown call is part of them; and
    where one rank draws for all.

    ## Known false negatives
    Numbers of `jax.random`; sums that lists or messages gather; functions that no script of the project calls.

    ## References
    NumPy documentation, "Parallel random number generation": a sequence of integers, such as a root seed and the number
    of the worker, seeds an independent generator for each worker.
    """

    code = "JM807"
    name = "same-draws-summed"
    severity = Severity.WARNING
    in_tests = Severity.INFO

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rng = np.random.default_rng([42, comm.rank])
        inside = int((np.hypot(rng.random(1000), rng.random(1000)) < 1).sum())
        print(comm.reduce(inside))
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rng = np.random.default_rng(42)
        points = rng.random(1000)
        rows = len(points) // comm.size
        mine = points[comm.rank * rows : (comm.rank + 1) * rows]
        print(comm.allreduce(mine.sum()))
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rng = np.random.default_rng(42)  #! JM807
        inside = int((np.hypot(rng.random(1000), rng.random(1000)) < 1).sum())
        print(comm.reduce(inside))
        """,
        """
        import random
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        random.seed(1)  #! JM807
        hits = 0
        for _ in range(1000 // comm.size):
            hits += random.random() < 0.5
        print(comm.allreduce(hits, op=MPI.SUM) / 1000)
        """,
    )
