"""JM621: values that must be equal on all processes, and that differ between them."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class AssertEqualDiffers(Rule):
    """Different values where all processes must have the same one.

    ## What it does
    Reports `multihost_utils.assert_equal`, and `jax.device_put` to the devices of all processes, that the processes
    call with different values: the process index, the time, an unseeded random number, numbers drawn with a key or a
    seed of each process. `jax.make_array_from_process_local_data`, `jax.make_array_from_callback` and
    `multihost_utils.host_local_array_to_global_array` are reported for such values if the sharding divides no dimension
    (`P()`), so that every process holds the whole array.

    ## Why is this bad?
    The assertion fails in every run with several processes, and passes with one process; `device_put` makes it too. The
    other functions compare nothing: each process then holds a different array under one name, and computations on it
    have results that differ between the processes, without any message.

    ## Example
    ```python
    key = jax.random.PRNGKey(seed + jax.process_index())
    weights = jax.make_array_from_process_local_data(NamedSharding(mesh, P()), init(key))
    ```

    ## Use instead
    ```python
    key = jax.random.PRNGKey(seed)
    weights = jax.make_array_from_process_local_data(NamedSharding(mesh, P()), init(key))
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process, and for
    replicated arrays.

    ## Known false negatives
    Values of files and of the host, which are often alike; values that differ only after a test, a comparison or a
    function that may have one result for different arguments. Scripts that are not the entry of a program; programs in
    which an unknown call may communicate.

    ## References
    JAX documentation, `jax.experimental.multihost_utils.assert_equal`, `jax.make_array_from_process_local_data`: with a
    fully replicated sharding, every process provides the same data.
    """

    code = "JM621"
    name = "assert-equal-differs"
    severity = Severity.ERROR
    in_tests = Severity.WARNING

    VALID = (
        """
        import time

        import jax
        from jax.experimental import multihost_utils

        jax.distributed.initialize()
        start = multihost_utils.broadcast_one_to_all(time.time())
        multihost_utils.assert_equal(start)
        """,
        """
        import jax
        from jax.experimental import multihost_utils

        jax.distributed.initialize()
        for step in range(3):
            multihost_utils.assert_equal(step * jax.process_count())
        """,
    )
    INVALID = (
        """
        import jax
        from jax.experimental import multihost_utils

        jax.distributed.initialize()
        multihost_utils.assert_equal(jax.process_index())  #! JM621
        """,
        """
        import jax
        from jax.experimental import multihost_utils


        def check(values):
            multihost_utils.assert_equal(values, "the processes read different settings")  #! JM621


        if __name__ == "__main__":
            jax.distributed.initialize()
            check({"steps": 4, "seed": 10 + jax.process_index()})
        """,
    )
