"""JM604: computation of all JAX processes that only some of them launch."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.jax.divergent_launches import divergent_launches
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class JitOnGuardedProcess(CheckRule):
    """Computation on global arrays launched by only some processes.

    ## What it does
    Reports calls of functions compiled by `jit`, `pmap` or similar in a branch on `jax.process_index()`, or after an
    early exit that only some processes take, if they are passed a global array (an array whose shards lie on devices of
    several processes) or exchange data across the devices of all processes. Calls of functions that do so are also
    reported.

    ## Why is this bad?
    Such a computation runs on the devices of all processes, and each process must launch its part. A process that
    launches it alone blocks until a timeout ends the job, or its launch is matched with the next launch of the other
    processes.

    ## Example
    ```python
    batch = jax.make_array_from_process_local_data(sharding, rows)
    if jax.process_index() == 0:
        print(loss(params, batch))
    ```

    ## Use instead
    ```python
    batch = jax.make_array_from_process_local_data(sharding, rows)
    value = loss(params, batch)
    if jax.process_index() == 0:
        print(value)
    ```

    ## Confidence
    High when the index itself is tested and the launch is in the branch, medium where the launch is in a called
    function or the array comes from a caller. Silent for computations on process-local arrays or arrays of unknown
    origin, for reads of addressable shards, where both sides launch the same computations in the same order, and for
    tests on the number of processes.

    ## Known false negatives
    Compiled functions and global arrays that are kept in containers or come from other libraries, in code that is not
    reached when the program is followed from its entry. Single operations on global arrays, such as `x.sum()`, are
    reported by JM620.

    ## References
    JAX documentation, "Introduction to multi-controller JAX": all processes run the same computations in the same
    order.
    """

    code = "JM604"
    name = "jit-on-guarded-process"
    severity = Severity.WARNING
    replaces = (
        "JM10",
        "JM505",
        "JM605",
        "JM615",
    )
    in_tests = Severity.INFO
    sanitizer = ("JS501", "JS503", "JS512")
    detect = in_functions(divergent_launches)
    message = "{d.who} {d.launch.what}, which all processes must launch"
    remedy = "launch it on every process and guard only the use of its result"

    VALID = (
        """
        import jax
        import jax.numpy as jnp

        @jax.jit
        def loss(x):
            return jnp.sum(x**2)

        def report(rows):
            if jax.process_index() == 0:
                print(loss(jnp.asarray(rows)))
        """,
        """
        import jax

        @jax.jit
        def loss(x):
            return (x**2).sum()

        def report(sharding, rows):
            batch = jax.make_array_from_process_local_data(sharding, rows)
            value = loss(batch)
            if jax.process_index() == 0:
                print(value.addressable_data(0))
        """,
    )
    INVALID = (
        """
        import jax

        @jax.jit
        def loss(x):
            return (x**2).sum()

        def report(sharding, rows):
            batch = jax.make_array_from_process_local_data(sharding, rows)
            if jax.process_index() == 0:
                print(loss(batch))  #! JM604
        """,
        """
        import jax

        @jax.jit
        def accuracy(state, batch):
            return (state * batch).mean()

        def evaluate(state, batches):
            return [accuracy(state, batch) for batch in batches]

        def score(state, batch):
            return float(accuracy(state, batch))

        def main(sharding, rows):
            state = jax.make_array_from_callback((8,), sharding, lambda index: rows[index])
            best = score(state, rows) if jax.process_index() == 0 else None  #! JM604
            return best
        """,
    )
