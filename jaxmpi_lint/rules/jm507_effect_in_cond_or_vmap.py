"""JM507: mpi4jax operations under divergent control flow of `jax.lax`, or under `vmap`."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4jax.batched_effects import dismantled_effects
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class EffectInCondOrVmap(CheckRule):
    """mpi4jax operation under divergent `jax.lax` control flow or `vmap`.

    ## What it does
    Reports `jax.lax.cond` and `switch` whose predicate differs between ranks while their branches execute different
    mpi4jax collectives; `while_loop`, `fori_loop` and `scan` with mpi4jax collectives in the body and a trip count that
    differs between ranks; and mpi4jax operations that are passed a mapped value under `vmap` and have no batching rule
    (all but `allreduce`, `sendrecv` and `barrier`).

    ## Why is this bad?
    The program is the same on every rank, but the ranks take different paths through it: some enter a collective, the
    others do not, and the job hangs inside XLA, where no Python line is shown. Under `vmap`, tracing fails with
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
    High where the predicate is the rank itself, and under `vmap`; medium for other values that differ between ranks.
    Silent for predicates that are uniform (results of `allreduce`, sizes) or unknown, for branches with the same
    collectives in the same order, for point-to-point messages, and for mpi4jax operations on values that `in_axes` does
    not map.

    ## Known false negatives
    Predicates that are arguments of a traced function; values that diverge during a loop; branches created by
    `functools.partial`.

    ## References
    JAX documentation, `jax.lax.cond`, `jax.lax.while_loop`, `jax.vmap`; mpi4jax documentation, "API", and its batching
    rules.
    """

    code = "JM507"
    name = "effect-in-cond-or-vmap"
    severity = Severity.WARNING
    detect = in_functions(dismantled_effects)
    message = "ranks take different branches of this `{d.name}`, and `{d.method}` in one branch waits for all ranks"
    remedy = "communicate on every rank, outside the `{d.name}`, and select the result with `jnp.where`"
    variants: ClassVar = {
        "loop": Variant(
            "ranks execute different numbers of iterations of this `{d.name}`, and `{d.method}` in its body waits for "
            "all ranks"
        ),
        "map": Variant(
            "`{d.method}` of mpi4jax is passed a mapped value, and has no batching rule for `vmap`",
            "call `{d.method}` once for the whole array, outside `vmap`",
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
