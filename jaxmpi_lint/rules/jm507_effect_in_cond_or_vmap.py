"""JM507: mpi4jax operations where a program's own control flow, or `vmap`, takes them apart."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4jax.batched_effects import dismantled_effects
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class EffectInCondOrVmap(CheckRule):
    """Operation of mpi4jax in a `cond`, loop or `vmap` that cannot carry it.

    ## What it does
    Reports `jax.lax.cond` and `switch` whose predicate differs between ranks while their branches perform different
    collectives of mpi4jax; `while_loop`, `fori_loop` and `scan` with such collectives in the body and a number of
    passes that differs between ranks; and operations of mpi4jax that are given a mapped value under `vmap` and have no
    rule for it (all but `allreduce`, `sendrecv` and `barrier`).

    ## Why is this bad?
    The program is the same on every rank, but the ranks take different ways through it: some enter a collective, the
    others do not, and the job hangs inside of XLA, where no Python line is shown. Under `vmap` tracing ends with
    `NotImplementedError`.

    ## Example
    ```python
    y = jax.lax.cond(rank == 0, lambda v: mpi4jax.allreduce(v, op=MPI.SUM, comm=comm), lambda v: v, x)
    ```

    ## Use instead
    ```python
    total = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
    y = jnp.where(rank == 0, total, x)
    ```

    ## Confidence
    High where the rank itself decides and under `vmap`, medium for other values that differ between ranks. Silent for
    predicates that are equal everywhere (results of `allreduce`, sizes) or not known, for branches with the same
    collectives in the same order, for messages, and for mpi4jax operations on values that `in_axes` does not map.

    ## Known false negatives
    Predicates that are arguments of a traced function; values that become different in the course of a loop; branches
    made by `functools.partial`.

    ## References
    JAX documentation, `jax.lax.cond`, `jax.lax.while_loop`, `jax.vmap`; mpi4jax documentation, "API", and its batching
    rules.
    """

    code = "JM507"
    name = "effect-in-cond-or-vmap"
    severity = Severity.WARNING
    detect = in_functions(dismantled_effects)
    message = "ranks take different branches of this `{d.name}`, and `{d.method}` in one of them waits for all of them"
    remedy = "communicate on every rank, outside, and choose between the results with `jnp.where`"
    variants: ClassVar = {
        "loop": Variant(
            "ranks make different numbers of passes of this `{d.name}`, and `{d.method}` in its body waits for all of "
            "them"
        ),
        "map": Variant(
            "`{d.method}` of mpi4jax is given a mapped value, and has no rule for `vmap`",
            "call `{d.method}` once for the whole array, outside of `vmap`",
        ),
    }

    VALID = (
        """
        import jax
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        @jax.jit
        def step(x):
            norm = mpi4jax.allreduce((x**2).sum(), op=MPI.SUM, comm=comm)
            return jax.lax.cond(norm > 1, lambda v: mpi4jax.allreduce(v, op=MPI.SUM, comm=comm), lambda v: v, x)
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        rank = comm.Get_rank()

        def doubled(x):
            return mpi4jax.allreduce(2 * x, op=MPI.SUM, comm=comm)

        def plain(x):
            return mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)

        @jax.jit
        def step(x):
            return jax.lax.cond(rank == 0, doubled, plain, x)
        """,
    )
    INVALID = (
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        rank = comm.Get_rank()

        @jax.jit
        def step(x):
            return jax.lax.cond(  #! JM507
                rank == 0, lambda v: mpi4jax.allreduce(v, op=MPI.SUM, comm=comm), lambda v: v, x
            )
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        class Relaxation:
            def __init__(self, comm):
                self.comm = comm
                self.rank = comm.Get_rank()

            def total(self, x):
                local = x.sum()
                return mpi4jax.allreduce(local, op=MPI.SUM, comm=self.comm)

            def run(self, x):
                return jax.lax.fori_loop(0, self.rank + 1, lambda i, v: v / self.total(v), x)  #! JM507
        """,
    )
