"""JM806: share of an order that each process draws for itself."""

from __future__ import annotations

from jaxmpi_lint.checks.base import InFunctions
from jaxmpi_lint.checks.nondeterminism.drawn_orders import drawn_orders, functions
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class ShareOfDrawnOrder(CheckRule):
    """Share of an order that each process draws for itself.

    ## What it does
    Reports a permutation or a sample without repetition that each process draws without a common seed, and of which
    each process takes a share by its rank or process index.

    ## Why is this bad?
    The processes take shares of different orders. Some elements are in several shares, and others are in none: sums
    over all processes are wrong, and each run gives a different result.

    ## Example
    ```python
    order = np.random.permutation(len(samples))
    mine = order[comm.rank :: comm.size]
    ```

    ## Use instead
    ```python
    order = comm.bcast(np.random.permutation(len(samples)), root=0)
    mine = order[comm.rank :: comm.size]
    ```

    ## Confidence
    High. Silent where the program seeds the generator with a value that may be equal on all processes, or computes the
    seed from the rank, and for numbers that are drawn independently of each other: any of them are as good for a share.

    ## Known false negatives
    Lists that are shuffled in place; orders and shares that are computed in different functions of which one is not
    known.

    ## References
    NumPy documentation, `numpy.random`: a generator without a seed takes the entropy of the operating system.
    """

    code = "JM806"
    name = "share-of-drawn-order"
    replaces = ("JM804",)
    severity = Severity.ERROR
    in_tests = Severity.INFO
    detect = InFunctions(drawn_orders, functions)
    message = "each process draws its order `{d.text}` separately: the shares overlap, and some elements are missing"
    remedy = "broadcast the order, or draw it with the same seed on all processes"

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        order = comm.bcast(np.random.permutation(100), root=0)
        mine = order[comm.rank :: comm.size]
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rng = np.random.default_rng(7)
        mine = np.array_split(rng.permutation(100), comm.size)[comm.rank]
        noise = np.random.default_rng().normal(size=100)[comm.rank :: comm.size]
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        order = np.random.permutation(100)
        mine = order[comm.rank :: comm.size]  #! JM806
        """,
        """
        import random
        from mpi4py import MPI

        def chosen(comm: MPI.Comm, names):
            rank, size = comm.Get_rank(), comm.Get_size()
            some = random.sample(names, 10 * size)
            return some[10 * rank : 10 * (rank + 1)]  #! JM806
        """,
    )
