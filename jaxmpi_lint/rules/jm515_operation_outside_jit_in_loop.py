"""JM515: mpi4jax operation that is recompiled in every iteration of a loop."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4jax.eager_operations import eager_operations
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class OperationOutsideJitInLoop(CheckRule):
    """mpi4jax operation in a Python loop outside `jax.jit`.

    ## What it does
    Reports mpi4jax operations in a Python `for` or `while` loop that is not traced: in the main program, and in
    functions that it calls without `jax.jit` or another transform in between.

    ## Why is this bad?
    Outside a compiled function, each mpi4jax call compiles a program, and JAX caches it. The parameters of mpi4jax
    operations define a hash but no equality, so the next call never hits the cache. An `allreduce` of a scalar takes
    about 50 ms instead of microseconds, and each call leaks about 1 MB of memory. Long runs fail when memory is
    exhausted.

    ## Example
    ```python
    import jax.numpy as jnp
    import mpi4jax
    from mpi4py import MPI

    x = jnp.ones(3)
    for step in range(1000):
        x = mpi4jax.allreduce(x, op=MPI.SUM)
    ```

    ## Use instead
    ```python
    import jax
    import jax.numpy as jnp
    import mpi4jax
    from mpi4py import MPI


    @jax.jit
    def advance(x):
        return mpi4jax.allreduce(x, op=MPI.SUM)


    x = jnp.ones(3)
    for step in range(1000):
        x = advance(x)
    ```

    ## Confidence
    Medium. Silent in functions that the project never calls, that have a decorator, or that are traced anywhere; and
    for loops whose trip count is provably at most four.

    ## Known false negatives
    Operations in a function that the loop calls; functions that are passed as values.

    ## Suppression
    `# jaxmpi-lint: ignore[JM515] reason` on the line of the operation, for loops with a small trip count.

    ## References
    mpi4jax, issue 284 (growing memory); JAX documentation, "Just-in-time compilation", on caching. Runtime check:
    JS403.
    """

    code = "JM515"
    name = "operation-outside-jit-in-loop"
    severity = Severity.WARNING
    sanitizer = ("JS403",)
    detect = in_communicating(eager_operations)
    message = (
        "`{d.bound.operation.method}` is recompiled in every iteration, and the compilation cache grows without bound"
    )
    remedy = "compile the loop body with `jax.jit`{at_run_time}"

    VALID = (
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        @jax.jit
        def step(x):
            return mpi4jax.allreduce(x, op=MPI.SUM)

        def run(x):
            for _ in range(100):
                x = step(x)
            return x

        run(1.0)
        """,
        """
        import mpi4jax
        from mpi4py import MPI

        def library_function(fields):
            return [mpi4jax.allreduce(field, op=MPI.SUM) for field in fields]

        def another(x, steps):
            for _ in range(steps):
                x = mpi4jax.allreduce(x, op=MPI.SUM)
            return x
        """,
    )
    INVALID = (
        """
        import mpi4jax
        from mpi4py import MPI

        x = 1.0
        for _ in range(1000):
            x = mpi4jax.allreduce(x, op=MPI.SUM)  #! JM515
        """,
        """
        from mpi4jax import bcast

        def main(x, steps):
            for _ in range(steps):
                x = bcast(x, 0)  #! JM515
            return x

        if __name__ == "__main__":
            main(1.0, 100)
        """,
    )
