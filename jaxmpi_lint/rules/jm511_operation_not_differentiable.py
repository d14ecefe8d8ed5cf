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
    from jaxmpi_lint.analysis.model.function import FunctionModel
    from jaxmpi_lint.analysis.model.project import Project

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
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        def loss(w, x):
            x = mpi4jax.bcast(x, 0, comm=comm)
            return (w * x).sum()

        @jax.jit
        def step(w, x):
            return w - jax.grad(loss)(w, x)
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        @jax.custom_vjp
        def gathered(x):
            return mpi4jax.allgather(x, comm=comm)

        def forward(x):
            return mpi4jax.allgather(x, comm=comm), None

        def backward(_, cotangent):
            return (cotangent[comm.rank],)

        gathered.defvjp(forward, backward)
        gradient = jax.grad(lambda x: gathered(x).sum())
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size

        def shifted(x):
            return mpi4jax.sendrecv(x, x, left, right, comm=comm)

        pull = jax.vjp(lambda x: shifted(x) ** 2, 1.0)[1]
        jacobian = jax.jacrev(shifted)
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        @jax.checkpoint
        def layer(w, x):
            return jax.numpy.tanh(x @ w)

        def loss(w, x):
            return mpi4jax.allreduce(layer(w, x).sum(), op=MPI.SUM, comm=comm)

        def evaluate(w, x):
            best = jax.checkpoint(lambda v: mpi4jax.allreduce(v, op=MPI.MAX, comm=comm))
            return jax.grad(loss)(w, x), best(w)
        """,
        """
        import jax
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        def body(count, row):
            return count + mpi4jax.allreduce(1, op=MPI.MAX, comm=comm), 2 * row

        def loss(w):
            fixed = jax.lax.stop_gradient(w)
            count, rows = jax.lax.scan(body, 0, w)
            return rows.sum() / count + mpi4jax.scan(fixed, op=MPI.SUM, comm=comm).sum()

        gradient = jax.grad(loss, argnums=0)
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
        import jax
        from mpi4jax import bcast
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        @jax.jit
        @jax.value_and_grad
        def loss(w):
            scaled = 2 * w
            return bcast(scaled, 0, comm=comm).sum()  #! JM511
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
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size

        def shifted(x):
            return mpi4jax.sendrecv(x, x, left, right, comm=comm)  #! JM511

        tangent = jax.jvp(shifted, (1.0,), (1.0,))
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        @jax.checkpoint
        def layer(w, x):
            partial = x @ w
            return mpi4jax.allreduce(partial, op=MPI.SUM, comm=comm)  #! JM511

        def loss(w, x):
            return layer(w, x).sum()

        def step(w, x):
            return w - jax.grad(loss)(w, x)
        """,
        """
        import jax
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size

        def energy(field):
            halo = jnp.zeros_like(field[0])
            ghost = mpi4jax.sendrecv(field[-1], halo, left, right, comm=comm)  #! JM511
            return jnp.sum((field[0] - ghost) ** 2)

        force = jax.jit(jax.grad(energy))
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        def prefix(x):
            return mpi4jax.scan(x, MPI.SUM, comm=comm)  #! JM511

        def body(carry, _):
            return carry / mpi4jax.allreduce(carry, op=MPI.MAX, comm=comm), None  #! JM511

        def loss(w):
            total, _ = jax.lax.scan(body, 2 * w, None, length=3)
            return jax.lax.cond(w.sum() > 0, lambda v: mpi4jax.bcast(w, 0, comm=comm), lambda v: v, total)  #! JM511

        gradient = jax.grad(lambda w: loss(w).sum())
        second = jax.hessian(lambda x: (prefix(x) ** 2).sum())
        block = jax.grad(jax.remat(lambda x: mpi4jax.allreduce(x, op=MPI.SUM, comm=comm).sum()))  #! JM511
        """,
        """
        import functools
        import jax
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        class Model:
            def error(self, batch, w):
                return (mpi4jax.bcast(w, 0, comm=comm) * batch).sum()  #! JM511

            @staticmethod
            def spread(w):
                return mpi4jax.allgather(w, comm=comm).sum()  #! JM511

            @functools.partial(jax.value_and_grad, argnums=1)
            def loss(self, w):
                return mpi4jax.bcast(jnp.where(w > 0, w, 0.0), 0, comm=comm).sum()  #! JM511

        def step(model, batch, w):
            try:
                return jax.grad(Model.error, argnums=2)(model, batch, w)
            finally:
                jax.grad(Model.spread)(w)
        """,
    )

    def check(self, project: Project) -> Iterator[Finding]:
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


def _is_constant(function: FunctionModel, template: ir.Expression | None) -> bool:
    if isinstance(template, ir.Name):
        found = visible_definitions(function, template.id)
        return found is not None and all(not isinstance(v, ir.Name) and _is_constant(found[0], v) for v in found[1])
    if not isinstance(template, ir.Call):
        return False
    bound = function.bound(template)
    package, _, name = ((bound.dotted if bound is not None else None) or "").rpartition(".")
    return package in ("jax.numpy", "numpy") and name in _CONSTANTS
