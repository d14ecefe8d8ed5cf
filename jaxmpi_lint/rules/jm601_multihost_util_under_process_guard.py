"""JM601: multihost helpers that only some processes reach."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.checks.hoist_call import hoist
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class MultihostUtilUnderProcessGuard(DivergenceRule):
    """Multihost helper reached by only some processes.

    ## What it does
    Reports helpers that every process must call (`sync_global_devices`, `process_allgather`, `broadcast_one_to_all`,
    the checkpoint functions of orbax and flax) in a branch on `jax.process_index()`, or after an early exit that only
    some processes take.

    ## Why is this bad?
    These helpers launch a computation on the devices of all processes, or wait in a barrier of all processes. If some
    processes do not call them, the others block until a timeout of several minutes ends the job, with no line number in
    the error message. Saving a checkpoint is such a call even though only one process writes: the checkpoint manager
    synchronises the processes.

    ## Example
    ```python
    if jax.process_index() == 0:
        manager.save(step, state)
        multihost_utils.sync_global_devices("saved")
    ```

    ## Use instead
    ```python
    manager.save(step, state)
    multihost_utils.sync_global_devices("saved")
    if jax.process_index() == 0:
        print("saved", step)
    ```

    ## Fix safety
    Unsafe, and offered only for a call without data that is the last statement of the branch: the fix moves it after
    the branch, so that every process makes it. The linter cannot determine whether the other processes were meant to
    wait there.

    ## Confidence
    High when the index itself is tested. Silent when both sides call the same helpers in the same order, when the
    number of processes is tested instead of the index, for barriers and managers with an explicit list of participating
    processes, and for tests on an MPI rank in a file that never calls `jax.distributed.initialize`, because there each
    rank may run a separate JAX program.

    ## Known false negatives
    Jitted computations on global arrays under the same guard (see JM604); helpers inside called functions, unless the
    function consists of a single helper.

    ## References
    JAX documentation, "Introduction to multi-controller JAX" (every process runs the same computations in the same
    order). Runtime checks: JS501, JS503.
    """

    code = "JM601"
    name = "multihost-util-under-process-guard"
    severity = Severity.ERROR
    replaces = (
        "JM10",
        "JM505",
        "JM604",
        "JM605",
        "JM615",
    )
    in_tests = Severity.WARNING
    sanitizer = ("JS501", "JS503", "JS508")
    selects = Cause.JAX_PROCESSES
    remedy = "call it on every process and guard only the per-process work{at_run_time}"
    repair = hoist
    fix = Applicability.UNSAFE

    VALID = (
        """
        import jax
        from jax.experimental import multihost_utils

        def save(path, data):
            if jax.process_index() == 0:
                path.write_text(data)
            multihost_utils.sync_global_devices("saved")
        """,
        """
        import jax
        from jax.experimental import multihost_utils

        def gather(x):
            if jax.process_index() == 0:
                rows = multihost_utils.process_allgather(x)
                print(rows)
            else:
                rows = multihost_utils.process_allgather(x)
            return rows
        """,
    )
    INVALID = (
        """
        import jax
        from jax.experimental import multihost_utils

        if jax.process_index() == 0:
            multihost_utils.sync_global_devices("done")  #! JM601
        """,
        """
        import jax
        from jax.experimental import multihost_utils

        def barrier(name):
            multihost_utils.sync_global_devices(name)

        def compute(x):
            if jax.process_index() != 0:
                return None
            y = x + 1
            barrier("computed")  #! JM601
            return y
        """,
    )
