"""JM615: different programs traced by different processes, because Python tests the process index."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.jax.process_index_in_trace import process_in_programs
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class PythonBranchOnProcessInJit(CheckRule):
    """Use of the process index in a traced function.

    ## What it does
    Reports an `if`, a `while` or a conditional expression on `jax.process_index()`, or on a value computed from it,
    that changes the computation of a function passed to `jax.jit`, `pmap`, `shard_map`, `lax.scan` or similar. Where
    the program provably works on global arrays, an index that is used in it as a number is reported as well.

    ## Why is this bad?
    Tracing runs the Python code once on each process, and Python takes the branch at that time. The processes compile
    different programs with the same name. All processes of a job must run the same programs: collectives are matched by
    position, so processes block forever, or sum unrelated arrays. If the compiler detects the difference, the job
    aborts during compilation.

    ## Example
    ```python
    @jax.jit
    def step(x):
        if jax.process_index() == 0:
            x = x * 2
        return x.sum()
    ```

    ## Use instead
    ```python
    @partial(jax.shard_map, mesh=mesh, in_specs=P("data"), out_specs=P())
    def step(x):
        first = jax.lax.axis_index("data") == 0
        return jax.lax.psum(jnp.where(first, x * 2, x).sum(), "data")
    ```

    ## Confidence
    High where the program provably runs on the devices of all processes (`pmap`, `shard_map`, shardings, collectives
    over an axis, a global array among the arguments). Otherwise medium, because programs on process-local arrays may
    differ; there, an index that is used as a number is not reported. Silent for programs on `jax.local_devices()`, for
    branches that only print, log or raise, and for MPI ranks in files that do not call `jax.distributed.initialize`.

    ## Known false negatives
    Static arguments and attributes of objects that hold the index; containers selected by it.

    ## References
    JAX documentation, "Introduction to multi-controller JAX": all processes run the same computations in the same
    order.
    """

    code = "JM615"
    name = "python-branch-on-process-in-jit"
    severity = Severity.ERROR
    replaces = (
        "JM10",
        "JM505",
    )
    sanitizer = ("JS501",)
    detect = in_functions(process_in_programs)
    message = "Python branches on the process index while {d.entry} is traced: processes compile different programs"
    remedy = "use `jax.lax.axis_index` and `jnp.where`, or pass the per-process value as an array argument"
    variants: ClassVar = {
        "constant": Variant(
            "the process index becomes a constant while {d.entry} is traced: processes compile different programs"
        )
    }

    VALID = (
        """
        import jax

        @jax.jit
        def step(x):
            if jax.process_index() == 0:
                print("tracing", x.shape)
            return x * 2
        """,
        """
        import jax
        import jax.numpy as jnp

        jax.distributed.initialize()

        def shift(x):
            index = jax.lax.axis_index("data")
            return jnp.where(index == 0, x, x + 1)

        shifted = jax.pmap(shift, axis_name="data")
        """,
    )
    INVALID = (
        """
        import jax

        @jax.jit
        def step(x):
            if jax.process_index() == 0:  #! JM615
                x = x * 2
            return x.sum()
        """,
        """
        import jax
        import jax.numpy as jnp

        class Trainer:
            def __init__(self, loss):
                self.loss = loss
                self.index = jax.process_index()
                self.step = jax.pmap(self._step, axis_name="batch")

            def _step(self, weights, batch):
                return self._noisy(weights) - jax.lax.pmean(jax.grad(self.loss)(weights, batch), "batch")

            def _noisy(self, weights):
                if self.index != 0:  #! JM615
                    return weights
                return weights + jnp.ones_like(weights)
        """,
    )
