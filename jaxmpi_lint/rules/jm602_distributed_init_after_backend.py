"""JM602: ``jax.distributed.initialize`` comes when JAX is already up."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.jax.late_initialize import initialize_first, late_initializations
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example


class DistributedInitAfterBackend(CheckRule):
    """Processes are brought up after the JAX backend.

    ## What it does
    Reports a call of `jax.distributed.initialize` where something before it has surely started the JAX backend: in the
    same function, in a function of the project that was called before, in the functions that lead to the call, or while
    the module itself or one that it imports was loaded.

    ## Why is this bad?
    The backend finds out once, at its first use, which devices and processes there are. Without `initialize` the answer
    is one process. After that `initialize` raises `RuntimeError` on every process; where the error is caught, each
    process goes on alone, takes itself for process 0, and computes with its own part of the data.

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
    Unsafe: the call is moved before the statement that starts the backend, where both are statements of one block and
    nothing that the call needs is assigned in between. Other statements in between now run after it.

    ## Confidence
    High where both calls are in one function or the module itself starts the backend; medium through calls, imports
    and compiled functions, and inside `try`. Silent where the order depends on a branch, in the function or in one that
    leads to the call, where the program asks whether it is initialized already, and where another call may have
    initialized before.

    ## Known false negatives
    Arithmetic on arrays that comes from elsewhere, backends started by other libraries, functions reached through
    containers.

    ## References
    JAX documentation, `jax.distributed.initialize`: to be called before anything that starts the backend.
    """

    code = "JM602"
    name = "distributed-init-after-backend"
    severity = Severity.ERROR
    fix = Applicability.UNSAFE
    detect = in_communicating(late_initializations)
    repair = initialize_first
    message = (
        "`jax.distributed.initialize` comes after {d.late.start.what} has started the JAX backend: it raises everywhere"
    )
    remedy = "call `jax.distributed.initialize` first, before anything that makes arrays or asks for devices"

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
