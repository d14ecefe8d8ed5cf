"""JM515: an operation of mpi4jax is compiled anew in each pass of a loop."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4jax.eager_operations import eager_operations
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class OperationOutsideJitInLoop(CheckRule):
    """Operation of mpi4jax in a loop, outside of `jax.jit`.

    ## What it does
    Finds operations of mpi4jax that a `for` or `while` loop of plain Python repeats: in the program itself, and in
    functions that it calls, if no `jax.jit` or other transform is on the way.

    ## Why is this bad?
    Outside of a compiled function each call of mpi4jax compiles a program, and JAX keeps it: mpi4jax's parameters have
    a hash, but no equality, so the next call never finds it. An `allreduce` of a number takes some 50 ms instead of
    microseconds, and about 1 MB of memory is lost with each call. Long runs end when memory is used up.

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
    Medium. Silent in functions that nobody in the project calls, that have a decorator, or that are traced
    anywhere; and for loops that visibly make no more than four passes.

    ## Known false negatives
    Operations in a function that the loop calls; functions that are handed around as values.

    ## Suppression
    `# jaxmpi-lint: ignore[JM515] reason` on the line of the operation, for loops that are known to be short.

    ## References
    mpi4jax, issue 284 (memory grows); JAX documentation, "Just-in-time compilation", caching. At run time: JS403.
    """

    code = "JM515"
    name = "operation-outside-jit-in-loop"
    severity = Severity.WARNING
    sanitizer = ("JS403",)
    detect = in_communicating(eager_operations)
    message = (
        "`{d.bound.operation.method}` is compiled anew in each pass of the loop, and all that was compiled is kept"
    )
    remedy = "compile the body of the loop with `jax.jit`{at_run_time}"

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
