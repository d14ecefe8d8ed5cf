"""JM620: implicit collectives on global arrays that only some processes reach."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.jax.implicit_collectives import divergent_hidden_collectives
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class HiddenCollectiveOnSomeProcesses(CheckRule):
    """Implicit collective on a global array reached by only some processes.

    ## What it does
    Reports reductions (`x.sum()`, `jnp.mean(x)`, also inside `float()`, `if` and similar) of a global array that is
    sharded over several processes, and `jax.device_put` with a sharding over the devices of all processes, in a branch
    on `jax.process_index()` or after an exit that only some processes take. Calls of functions that do so with an array
    argument are also reported.

    ## Why is this bad?
    They look like local arithmetic, but each is a program on the devices of all processes, and contains a collective. A
    process that executes it alone blocks: 30 seconds in the first collective of a job, 300 seconds in later ones. The
    final error message names neither the operation nor the line.

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
    process), for `print` and the shape of a global array, for addressable shards, where both sides execute the same
    operations, and for tests on the number of processes.

    ## Known false negatives
    Arrays in containers and attributes of objects; indexing, sorting and products of arrays; shardings that are created
    elsewhere, except for `make_array_from_process_local_data`.

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
    message = "{d.who} {d.what}: an implicit collective of all processes"
    remedy = "execute it on every process and guard only the use of its result"

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
