"""JM511: derivatives of mpi4jax operations that are not differentiable."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_project
from jaxmpi_lint.checks.mpi4jax.missing_derivatives import missing_derivatives
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class OperationNotDifferentiable(CheckRule):
    """Derivative of a non-differentiable mpi4jax operation.

    ## What it does
    Reports mpi4jax operations on a value that depends on the inputs of `jax.grad`, `jax.vjp`, `jax.jvp` or similar, if
    the operation has no derivative rule: all but `allreduce` and `sendrecv`; `allreduce` with an operator other than
    `MPI.SUM`; `sendrecv` in forward mode (`jvp`, `jacfwd`, `hessian`, `linearize`), and with a constant receive buffer.
    Also reports any operation within a `jax.checkpoint` that is differentiated in reverse mode.

    ## Why is this bad?
    The derivative cannot be computed: tracing fails with `NotImplementedError`, `RuntimeError` or `TypeError`. A value
    that is needed only as a number, such as a maximum norm, should be excluded from the derivative.

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

    ## Confidence
    High: the value is tracked from the parameter to the operation through steps that provably have a derivative. Silent
    after `stop_gradient`, comparisons, conversions and unknown functions, for parameters that `argnums` excludes, in
    functions with `custom_vjp` or `custom_jvp`, and for checkpoints that are not provably differentiated.

    ## Known false negatives
    Loops that carry several values; values kept in containers and objects; operators of `allreduce` that a caller
    passes. Operations under `vmap` are reported by JM507.

    ## References
    mpi4jax documentation, "API", and the derivative rules in its source (0.9): `allreduce` for `SUM`, `sendrecv` in
    reverse mode. JAX documentation, `jax.checkpoint`: its partial evaluation does not support effects.
    """

    code = "JM511"
    name = "operation-not-differentiable"
    severity = Severity.ERROR
    detect = in_project(missing_derivatives)
    message = "`{d.method}` of mpi4jax has no derivative rule, and is applied to a value that is differentiated"
    remedy = "exclude the value with `jax.lax.stop_gradient`, or define the derivative with `custom_vjp`"
    variants: ClassVar = {
        "operator": Variant("`allreduce` has a derivative rule for MPI.SUM only, not for {d.reduction}"),
        "checkpoint": Variant(
            "`{d.method}` of mpi4jax is inside a differentiated checkpoint, in which JAX does not support effects",
            "call `{d.method}` outside the checkpointed function",
        ),
        "forward": Variant(
            "`sendrecv` cannot be differentiated in forward mode", "use reverse mode: `jax.grad`, `vjp`, `jacrev`"
        ),
        "constant": Variant(
            "`sendrecv` cannot be differentiated when its receive buffer is a constant",
            "pass a differentiated value as receive buffer too: only its shape and dtype matter",
        ),
    }

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
