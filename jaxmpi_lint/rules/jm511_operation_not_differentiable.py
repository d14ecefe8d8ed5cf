"""JM511: derivatives through operations of mpi4jax that have none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.jax.differentiation import Differentiated, differentiated
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Finding, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_DIFFERENTIABLE = frozenset({"allreduce", "barrier", "sendrecv"})
_CONSTANTS = frozenset({"zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like"})


class OperationNotDifferentiable(Rule):
    """Derivative through an operation of mpi4jax that has none.

    ## What it does
    Reports operations of mpi4jax that are given a value which `jax.grad`, `jax.vjp`, `jax.jvp` and their kin
    differentiate by, and that have no rule for it: all but `allreduce` and `sendrecv`; `allreduce` with another
    operator than `MPI.SUM`; `sendrecv` in forward mode (`jvp`, `jacfwd`, `hessian`, `linearize`), and with a receive
    buffer that is a constant. Also reports any operation within a `jax.checkpoint` that is differentiated in reverse.

    ## Why is this bad?
    The derivative cannot be taken: tracing ends with `NotImplementedError`, `RuntimeError` or `TypeError`. A value that
    is only needed as a number, such as a largest norm, is better taken out of the derivative.

    ## Example
    ```python
    def loss(w):
        largest = mpi4jax.allreduce(jnp.max(jnp.abs(w)), op=MPI.MAX, comm=comm)
        return jnp.sum((w / largest) ** 2)


    gradient = jax.grad(loss)(w)
    ```

    ## Use instead
    ```python
    def loss(w):
        bound = jax.lax.stop_gradient(jnp.max(jnp.abs(w)))
        largest = mpi4jax.allreduce(bound, op=MPI.MAX, comm=comm)
        return jnp.sum((w / largest) ** 2)
    ```

    ## How sure
    High: the value is followed from the parameter to the operation by steps that surely have a derivative. Silent
    behind `stop_gradient`, comparisons, conversions and functions that are not known, for parameters that `argnums`
    leaves out, in functions with `custom_vjp` or `custom_jvp`, and for checkpoints that nothing visible differentiates.

    ## Known misses
    Loops that carry several values; values kept in containers and objects; the operators of `allreduce` that are given
    by a caller. Operations under `vmap` are reported by JM507.

    ## References
    mpi4jax documentation, "API", and the derivative rules in its source (0.9): `allreduce` for `SUM`, `sendrecv` in
    reverse mode. JAX documentation, `jax.checkpoint`: effects are not supported in its partial evaluation.
    """

    code = "JM511"
    name = "operation-not-differentiable"
    severity = Severity.ERROR

    VALID = (
        """
        import jax
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        def loss(w, x):
            total = mpi4jax.allreduce(jnp.sum((x @ w) ** 2), op=MPI.SUM, comm=comm)
            count = mpi4jax.allreduce(x.shape[0], op=MPI.MAX, comm=comm)
            return total / count

        gradient = jax.grad(loss)
        """,
        """
        import jax
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        def loss(w):
            largest = mpi4jax.allreduce(jax.lax.stop_gradient(jnp.max(w)), op=MPI.MAX, comm=comm)
            positive = mpi4jax.allreduce(jnp.all(w > 0), op=MPI.LAND, comm=comm)
            return jnp.where(positive, jnp.sum(w / largest), 0.0)

        value, gradient = jax.value_and_grad(loss)(jnp.ones(3))
        """,
    )
    INVALID = (
        """
        import jax
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        def loss(w):
            largest = mpi4jax.allreduce(jnp.max(jnp.abs(w)), op=MPI.MAX, comm=comm)  #! JM511
            return jnp.sum((w / largest) ** 2)

        gradient = jax.grad(loss)
        """,
        """
        import functools
        import jax
        import mpi4jax as mj
        from mpi4py import MPI

        class Model:
            def __init__(self, comm):
                self.comm = comm

            def rows(self, x):
                return mj.allgather(x, comm=self.comm)  #! JM511

            def loss(self, batch, w):
                return (self.rows(w.reshape(-1)) @ batch).sum()

            def step(self, batch, w):
                return w - jax.grad(self.loss, argnums=1)(batch, w)
        """,
    )

    def check(self, project: Program) -> Iterator[Finding]:
        """One finding for each operation, however often it is differentiated."""
        reported: set[tuple[str, ir.Span]] = set()
        for found in differentiated(project):
            message = _problem(found) if found.place not in reported else None
            if message is not None:
                reported.add(found.place)
                yield self._report(found, *message)

    def _report(self, found: Differentiated, message: str, remedy: str) -> Finding:
        steps = [Step(found.derivative.module, found.derivative.span, "the derivative is taken here")]
        if found.checkpoint is not None and found.checkpoint[1] != found.derivative.span:
            steps.append(Step(*found.checkpoint, "a checkpoint, whose computation the derivative repeats"))
        return self.finding(
            found.values.function.module, found.bound.call.span, message, steps=tuple(steps), remedy=remedy
        )


def _problem(found: Differentiated) -> tuple[str, str] | None:
    """Why an operation cannot be differentiated, and the remedy."""
    function = found.values.function
    operation = found.bound.operation
    assert operation is not None
    method = operation.method
    if found.checkpoint is not None and found.derivative.backward:
        message = (
            f"`{method}` of mpi4jax is inside of a checkpoint that is differentiated, which JAX refuses for effects"
        )
        return message, f"call `{method}` outside of the checkpointed function"
    names = (*operation.sends, *((operation.template,) if operation.template is not None else ()))
    if not any(found.values.carries(found.bound.argument(name)) for name in names):
        return None
    aside = "take the value out of the derivative with `jax.lax.stop_gradient`, or define the derivative: `custom_vjp`"
    if method not in _DIFFERENTIABLE:
        return f"`{method}` of mpi4jax has no derivative, and is given a value that is differentiated by", aside
    if method == "allreduce":
        given = found.bound.argument(operation.reduction)
        entity = function.value(given, dict(function.flow.exit)).entity if given is not None else None
        predefined = isinstance(entity, Named) and entity.dotted.startswith("mpi4py.MPI.")
        if not predefined or not isinstance(entity, Named) or entity.dotted == "mpi4py.MPI.SUM":
            return None
        return f"`allreduce` has a derivative for MPI.SUM only, not for {entity.dotted.removeprefix('mpi4py.')}", aside
    if method == "sendrecv" and found.derivative.forward:
        return "`sendrecv` cannot be differentiated in forward mode", "use reverse mode: `jax.grad`, `vjp`, `jacrev`"
    if method == "sendrecv" and _is_constant(function, found.bound.argument(operation.template)):
        message = "`sendrecv` cannot be differentiated when its receive buffer is a constant"
        return message, "pass a value that is differentiated by as receive buffer too: only its shape and dtype count"
    return None


def _is_constant(function: Function, template: ir.Expression | None) -> bool:
    if isinstance(template, ir.Name):
        found = visible_definitions(function, template.id)
        return found is not None and all(not isinstance(v, ir.Name) and _is_constant(found[0], v) for v in found[1])
    if not isinstance(template, ir.Call):
        return False
    bound = function.bound(template)
    package, _, name = ((bound.dotted if bound is not None else None) or "").rpartition(".")
    return package in ("jax.numpy", "numpy") and name in _CONSTANTS
