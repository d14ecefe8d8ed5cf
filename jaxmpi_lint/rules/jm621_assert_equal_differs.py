"""JM621: `assert_equal` of values that differ between processes."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class AssertEqualDiffers(Rule):
    """`assert_equal` of values that differ between processes.

    ## What it does
    Reports `multihost_utils.assert_equal` that the processes call with different values: the process index, the time,
    an unseeded random number.

    ## Why is this bad?
    The assertion fails in every run with several processes, and passes with one process.

    ## Example
    ```python
    multihost_utils.assert_equal(time.time(), "the processes start at different times")
    ```

    ## Use instead
    ```python
    start = multihost_utils.broadcast_one_to_all(time.time())
    multihost_utils.assert_equal(start)
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process.

    ## Known false negatives
    Values of files and of the host, which are often alike. Scripts that are not the entry of a program; programs in
    which an unknown call may communicate.

    ## References
    JAX documentation, `jax.experimental.multihost_utils.assert_equal`.
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
