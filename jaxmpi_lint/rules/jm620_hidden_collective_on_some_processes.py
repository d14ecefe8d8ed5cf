"""JM620: plain operations on arrays of all JAX processes that only some processes come to."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.jax.implicit_collectives import divergent_hidden_collectives
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class HiddenCollectiveOnSomeProcesses(CheckRule):
    """Plain operation on an array of all JAX processes that only some of them come to.

    ## What it does
    Reports reductions (`x.sum()`, `jnp.mean(x)`, also inside of `float()`, `if` and the like) of an array that is
    sharded over several processes, and `jax.device_put` onto a sharding over the devices of all processes, in a branch
    on `jax.process_index()` or behind an exit that only some processes take. Calls of functions that do so with the
    array they are passed are reported too.

    ## Why is this bad?
    They look like local arithmetic, but each is a program on the devices of all processes, with a collective in it. The
    process that comes alone waits: in the first collective of a job for 30 seconds, later for 300, and the message that
    ends it names neither the operation nor the line.

    ## Example
    ```python
    x = jax.make_array_from_process_local_data(sharding, rows)
    if jax.process_index() == 0:
        print("mean:", float(x.mean()))
    ```

    ## Use instead
    ```python
    x = jax.make_array_from_process_local_data(sharding, rows)
    mean = x.mean()
    if jax.process_index() == 0:
        print("mean:", float(mean))
    ```

    ## Confidence
    High when the index itself is tested and the operation is in the branch, medium through calls and other values.
    Silent for arrays that are replicated, local or of unknown origin, for results of compiled functions (read on each
    process), for `print` and the shape of a global array, for addressable shards, where both sides do the same, and for
    tests of the number of processes.

    ## Known false negatives
    Arrays in containers and fields of objects; indexing, sorting and products of arrays; shardings that are made
    elsewhere, but for `make_array_from_process_local_data`.

    ## References
    JAX documentation, "Introduction to multi-controller JAX": all processes run the same computations in the same
    order; `jax.device_put` of the same host data on every process.
    """

    code = "JM620"
    name = "hidden-collective-on-some-processes"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS501", "JS503")
    detect = in_functions(divergent_hidden_collectives)
    message = "{d.who} {d.what}: a collective of all JAX processes"
    remedy = "do it on every process and guard only what is done with the result"

    VALID = (
        """
        import jax

        def report(sharding, rows):
            x = jax.make_array_from_process_local_data(sharding, rows)
            mean = x.mean()
            if jax.process_index() == 0:
                print("mean:", float(mean), x.shape, x)
        """,
        """
        import jax
        import jax.numpy as jnp

        def report(rows):
            x = jnp.asarray(rows)
            if jax.process_index() == 0:
                print(float(x.sum()), jnp.linalg.norm(x))
        """,
    )
    INVALID = (
        """
        import jax

        def report(sharding, rows):
            x = jax.make_array_from_process_local_data(sharding, rows)
            if jax.process_index() == 0:
                print("mean:", float(x.mean()))  #! JM620
        """,
        """
        import jax
        import jax.numpy as jnp

        def describe(x):
            return f"{jnp.max(x)}"

        def main(sharding, local):
            x = jax.make_array_from_process_local_data(sharding, local)
            y = 2 * x + 1
            if jax.process_index() == 0:
                print(describe(y))  #! JM620
        """,
    )
