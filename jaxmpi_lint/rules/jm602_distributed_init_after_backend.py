"""JM602: ``jax.distributed.initialize`` comes when JAX is already up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.checks.jax.backend_start import BackendStarts, LateInitialize, initialize_calls
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Severity
from jaxmpi_lint.rewrite.moves import move_before
from jaxmpi_lint.rules.base import Example, Finding, Repair, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.cfg.dominance import Place
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


class DistributedInitAfterBackend(Rule):
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

    ## How sure
    High where both calls are in one function or the module itself starts the backend; medium through calls, imports
    and compiled functions, and inside `try`. Silent where the order depends on a branch, in the function or in one that
    leads to the call, where the program asks whether it is initialized already, and where another call may have
    initialized before.

    ## Known misses
    Arithmetic on arrays that comes from elsewhere, backends started by other libraries, functions reached through
    containers.

    ## References
    JAX documentation, `jax.distributed.initialize`: to be called before anything that starts the backend.
    """

    code = "JM602"
    name = "distributed-init-after-backend"
    severity = Severity.ERROR
    fix = Applicability.UNSAFE

    def check(self, project: Program) -> Iterator[Finding]:
        starts = BackendStarts(project)
        for module in project.reported_modules():
            for function in module.with_operations:
                for place, bound in initialize_calls(function):
                    late = starts.late(function, place)
                    if late is not None:
                        yield self._report(function, place, bound, late)

    def _report(self, function: Function, place: Place, bound: BoundCall, late: LateInitialize) -> Finding:
        start = late.start
        in_try = bool(function.ir.blocks[place[0]].handlers)
        direct = not late.calls and start.inner is None and not start.what.startswith("the ")
        steps = [Step(link.module, link.span, f"{link.what} starts the JAX backend") for link in start.chain()]
        steps += [Step(module, span, "calls the function that initializes") for module, span in late.calls]
        return self.finding(
            function.module,
            bound.call.span,
            f"`jax.distributed.initialize` comes after {start.what} has started the JAX backend: it raises everywhere",
            steps=tuple(steps),
            remedy="call `jax.distributed.initialize` first, before anything that makes arrays or asks for devices",
            repair=_repair(function, bound.call, late),
            confidence=Confidence.HIGH if direct and not in_try else Confidence.MEDIUM,
        )

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


def _repair(function: Function, call: ir.Call, late: LateInitialize) -> Repair | None:
    if late.calls or late.start.module is not function.module or _arguments_start_backend(function, call):
        return None
    edits = move_before(function.module, function.ir, call.span, late.start.span)
    if edits is None:
        return None
    return Repair(Applicability.UNSAFE, "initialize before the backend is started", edits)


def _arguments_start_backend(function: Function, call: ir.Call) -> bool:
    """Whether the call is late on its own account, wherever it stands."""
    inner = [node for argument in call.args for node in ir.walk(argument.value) if isinstance(node, ir.Call)]
    bound = [found for node in inner if (found := function.bound(node)) is not None]
    return any(found.dotted is not None and function.project.catalogue.starts_backend(found.dotted) for found in bound)
