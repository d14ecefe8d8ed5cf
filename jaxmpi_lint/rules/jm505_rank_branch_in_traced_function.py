"""JM505: different sequences of mpi4jax collectives traced by different ranks."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4jax.traced_divergences import traced_divergences
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class RankBranchInTracedFunction(CheckRule):
    """Rank-dependent mpi4jax collective in a traced function.

    ## What it does
    Reports an mpi4jax collective in a function that JAX traces (`jit`, `grad`, `scan` and similar) if only some ranks
    record it, because Python tests the rank during tracing and the arms of the branch do not match.

    ## Why is this bad?
    The test is evaluated during tracing, not when the program runs: some ranks compile a program with the collective,
    the others a program without it. In every call, the ranks with the collective wait for the others, or match a later
    collective of theirs and exchange the wrong data. A rank that finds the function in its compilation cache does not
    even evaluate the test.

    ## Example
    ```python
    @jax.jit
    def step(x):
        if rank == 0:
            x = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
        return x
    ```

    ## Use instead
    ```python
    @jax.jit
    def step(x):
        total = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
        return total if rank == 0 else x
    ```

    ## Confidence
    As for JM101: high when the rank itself is tested, medium when it reaches the test through other values. Silent when
    both arms record the same collectives in the same order, for point-to-point messages (`send`, `recv`, `sendrecv`),
    for ranks in a different communicator, and for communicators that are split off for the ranks of one arm.

    ## Known false negatives
    Branches that `jax.lax.cond` takes at run time: see JM507. Collectives inside called functions, unless the function
    consists of a single collective.

    ## References
    mpi4jax documentation, "Sharp bits"; JAX documentation, "Control flow and logical operators with JIT"; MPI 4.1,
    section 6.14.
    """

    code = "JM505"
    name = "rank-branch-in-traced-function"
    severity = Severity.WARNING
    replaces = ("JM10",)
    in_tests = Severity.INFO
    detect = in_functions(traced_divergences)
    message = "{d.who} this {d.event.title} while {d.entry} is traced: ranks compile different programs"
    remedy = "execute the collective on every rank, and branch on the rank only to use its result"

    VALID = (
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        @jax.jit
        def step(x):
            total = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
            return total if comm.rank == 0 else x
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        @jax.jit
        def step(x):
            if comm.Get_rank() == 0:
                print("tracing for", x.shape)
            return mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
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
            if rank == 0:
                x = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)  #! JM505
            return x
        """,
        """
        import jax
        import mpi4jax as mj
        import mpi4py.MPI as mpi

        class Solver:
            def __init__(self, comm):
                self.comm = comm
                self.is_root = comm.rank == 0
                self.step = jax.jit(self._step)

            def _step(self, u):
                return self._total(u) * 0.5

            def _total(self, u):
                if not self.is_root:
                    return u
                return mj.gather(u, 0, comm=self.comm)  #! JM505
        """,
    )
