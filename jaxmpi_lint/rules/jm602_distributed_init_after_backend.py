"""JM602: ``jax.distributed.initialize`` after the start of the JAX backend."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.jax.late_initialize import initialize_first, late_initializations
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example


class DistributedInitAfterBackend(CheckRule):
    """`jax.distributed.initialize` after the start of the JAX backend.

    ## What it does
    Reports a call of `jax.distributed.initialize` that the program provably reaches after it has started the JAX
    backend: in the same function, in a function of the project that was called before, in the functions that lead to
    the call, or during the import of the module itself or of a module that it imports.

    ## Why is this bad?
    The backend detects devices and processes once, at its first use. Without `initialize`, it finds one process. After
    that, `initialize` raises `RuntimeError` on every process. If the program catches the error, each process continues
    alone as process 0, and computes with its local data only.

    ## Example
    ```python
    import jax

    print("devices:", jax.devices())
    jax.distributed.initialize()
    ```

    ## Use instead
    ```python
    import jax

    jax.distributed.initialize()
    print("devices:", jax.devices())
    ```

    ## Fix safety
    Unsafe: the fix moves the call before the statement that starts the backend, if both are statements of one block and
    nothing that the call needs is assigned in between. Other statements in between then run after the call.

    ## Confidence
    High where both calls are in one function, or the module itself starts the backend; medium through calls, imports
    and compiled functions, and inside `try`. Silent where the order depends on a branch, in the function or in one that
    leads to the call, where the program tests whether JAX is already initialized, and where an earlier call may have
    initialized it.

    ## Known false negatives
    Arithmetic on arrays of unknown origin; backends started by other libraries; functions called through containers.

    ## References
    JAX documentation, `jax.distributed.initialize`: must be called before any call that starts the backend.
    """

    code = "JM602"
    name = "distributed-init-after-backend"
    severity = Severity.ERROR
    fix = Applicability.UNSAFE
    detect = in_communicating(late_initializations)
    repair = initialize_first
    message = (
        "`jax.distributed.initialize` raises RuntimeError: {d.late.start.what} has already started the JAX backend"
    )
    remedy = "call `jax.distributed.initialize` first, before any call that creates arrays or queries devices"

    VALID = (
        """\
import jax

jax.config.update("jax_cpu_collectives_implementation", "gloo")
jax.distributed.initialize()
print(jax.devices())
""",
        """\
import jax
import jax.numpy as jnp


def table():
    return jnp.arange(4)


def start():
    jax.distributed.initialize()


def main():
    start()
    print(table())


main()
""",
    )
    INVALID = (
        Example(
            """\
import jax

print("devices:", jax.devices())
jax.distributed.initialize()  #! JM602
""",
            fixed="""\
import jax

jax.distributed.initialize()
print("devices:", jax.devices())
""",
        ),
        """\
import jax
import jax.numpy as jnp


def load():
    return jnp.zeros(10)


def main():
    data = load()
    from jax import distributed

    distributed.initialize(num_processes=2)  #! JM602
    return data
""",
    )
