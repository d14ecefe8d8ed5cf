"""JM611: barrier name that differs between processes."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class BarrierNameLocal(Rule):
    """Barrier name that differs between processes.

    ## What it does
    Reports `multihost_utils.sync_global_devices` and barriers of the coordination service that the processes call with
    different names, for example with the process index or the time in the name.

    ## Why is this bad?
    `sync_global_devices` compares the names and raises an exception. A barrier of the coordination service waits for
    the processes that use the same name, until it times out.

    ## Example
    ```python
    multihost_utils.sync_global_devices(f"saved-{jax.process_index()}")
    ```

    ## Use instead
    ```python
    multihost_utils.sync_global_devices("saved")
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process.

    ## Known false negatives
    Names that contain values of files or options. Scripts that are not the entry of a program; programs in which an
    unknown call may communicate.

    ## References
    JAX documentation, `jax.experimental.multihost_utils.sync_global_devices`. Runtime check: JS508.
    """

    code = "JM611"
    name = "barrier-name-local"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS508",)

    VALID = (
        """
        import jax
        from jax.experimental import multihost_utils

        jax.distributed.initialize()
        for step in range(3):
            multihost_utils.sync_global_devices(f"step-{step}")
        """,
        """
        import jax
        from jax.experimental import multihost_utils

        jax.distributed.initialize()
        print(f"process {jax.process_index()}")
        multihost_utils.sync_global_devices(f"start-of-{jax.process_count()}")
        """,
    )
    INVALID = (
        """
        import jax
        from jax.experimental import multihost_utils

        jax.distributed.initialize()
        multihost_utils.sync_global_devices(f"saved-{jax.process_index()}")  #! JM611
        """,
        """
        import jax
        from jax.experimental import multihost_utils


        def wait(label):
            multihost_utils.sync_global_devices(label)  #! JM611


        if __name__ == "__main__":
            jax.distributed.initialize()
            wait("first" if jax.process_index() == 0 else "others")
        """,
    )
