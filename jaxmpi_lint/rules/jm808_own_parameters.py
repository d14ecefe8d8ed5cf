"""JM808: averaged gradients of parameters that each rank has drawn for itself."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class OwnParameters(Rule):
    """Averaged gradients of parameters that each rank has drawn for itself.

    ## What it does
    Reports parameters that are drawn from a generator with a different seed on each rank, if gradients that a reduction
    sums over the ranks then change them.

    ## Why is this bad?
    The average of gradients of different models is a descent direction for none of them. All ranks make the same steps
    from different points, so their models stay different: training converges badly or not at all, and what rank 0 saves
    is one model of many. The program ends normally.

    ## Example
    ```python
    rng = np.random.default_rng(seed + comm.rank)
    weights = rng.normal(size=8)
    for step in range(steps):
        gradient = comm.allreduce(slope(weights, batch(rng))) / comm.size
        weights -= rate * gradient
    ```

    ## Use instead
    ```python
    rng = np.random.default_rng(seed + comm.rank)
    weights = comm.bcast(rng.normal(size=8), root=0)
    for step in range(steps):
        gradient = comm.allreduce(slope(weights, batch(rng))) / comm.size
        weights -= rate * gradient
    ```

    ## Confidence
    Medium. Parameters are drawn before the first average: noise that each step draws anew, as in evolution strategies,
    is none. Only reductions count whose call, or one that leads to it, names gradients (`grads`, `dW`): data may be
    centred by the same operations. Silent where the parameters come from a broadcast or a common seed.

    ## Known false negatives
    Parameters of frameworks such as torch; gradients under other names; optimizers that change more than the sum;
    functions that no script of the project calls.

    ## References
    Goyal et al., "Accurate, Large Minibatch SGD" (2017), section 2: all workers hold the same parameters.
    """

    code = "JM808"
    name = "own-parameters"
    severity = Severity.WARNING
    in_tests = Severity.INFO

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rng = np.random.default_rng(comm.rank)
        weights = comm.bcast(rng.normal(size=300), root=0)
        for _ in range(5):
            x = rng.normal(size=300)
            gradient = comm.allreduce(2 * (weights - x)) / comm.size
            weights = weights - 0.1 * gradient
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        points = np.random.default_rng(comm.rank).normal(size=300)
        for _ in range(5):
            mean = comm.allreduce(points) / comm.size
            points = points - 0.1 * mean
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rng = np.random.default_rng(comm.rank)
        theta = np.zeros(300)
        for _ in range(5):
            noise = rng.normal(size=300)
            reward = -float(np.sum((0.1 * noise + theta) ** 2))
            gradient = comm.allreduce(reward * noise) / comm.size
            theta = theta + 0.1 * gradient
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rng = np.random.default_rng(comm.rank)  #! JM808
        weights = rng.normal(size=300)
        for _ in range(5):
            x = rng.normal(size=300)
            gradient = comm.allreduce(2 * (weights - x)) / comm.size
            weights = weights - 0.1 * gradient
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        np.random.seed(17 + comm.rank)  #! JM808
        w = np.random.randn(20, 4)
        x = np.random.randn(50, 20)
        y = np.random.randn(50, 4)
        for _ in range(5):
            dw = x.T @ (x @ w - y)
            total = np.empty_like(dw)
            comm.Allreduce(dw, total)
            w -= 0.1 * total / comm.size
        """,
    )
