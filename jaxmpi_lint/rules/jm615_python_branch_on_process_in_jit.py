"""JM615: processes trace different programs because Python asks which process it is."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.jax.process_index_in_trace import process_in_programs
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class PythonBranchOnProcessInJit(CheckRule):
    """Process index in a function that JAX traces.

    ## What it does
    Reports an `if`, a `while` or a conditional expression on `jax.process_index()`, or on a value computed from it,
    that changes what a function given to `jax.jit`, `pmap`, `shard_map`, `lax.scan` or the like computes. Where the
    program visibly works on arrays of all processes, an index that goes into it as a number is reported as well.

    ## Why is this bad?
    Tracing runs the Python code once on each process, and the branch is decided there and then. Each process compiles a
    program of its own under the same name. The programs of a multi-process job have to be the same: their collectives
    match by position, so that processes wait for each other for ever, or add up arrays that do not belong together. If
    the compiler notices, the job ends while it compares programs.

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
    High where the program visibly runs on the devices of all processes (`pmap`, `shard_map`, shardings, collectives
    over an axis, a global array among the arguments), else medium: a program of arrays of one process alone may differ.
    There, an index that is used as a number is silent. So are programs on `jax.local_devices()`, branches that only
    print, log or raise, and ranks of MPI in files that do not call `jax.distributed.initialize`.

    ## Known false negatives
    Static arguments and fields of objects that hold the index; containers chosen by it.

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
    message = "Python decides by the process while {d.entry} is traced: processes compile different programs"
    remedy = "use `jax.lax.axis_index` and `jnp.where`, or pass what differs as data"
    variants: ClassVar = {
        "constant": Variant(
            "the index of the process becomes a constant while {d.entry} is traced:"
            " processes compile different programs"
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
