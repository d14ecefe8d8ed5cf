"""JM505: ranks trace different sequences of mpi4jax collectives."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4jax.traced_divergences import traced_divergences
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class RankBranchInTracedFunction(CheckRule):
    """Rank test around collectives of mpi4jax in a traced function.

    ## What it does
    Reports a collective of mpi4jax in a function that JAX traces (`jit`, `grad`, `scan` and their like) which only some
    ranks record, because Python tests the rank while tracing and the arms do not match.

    ## Why is this bad?
    The test is over when the program runs: each rank has compiled a program of its own, one with the collective and one
    without. At every call the ranks with it wait for the others, or meet a later collective of theirs and exchange
    wrong data. A rank that finds the function in its cache does not even come by the test.

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
    both arms record the same collectives in the same order, for messages (`send`, `recv`, `sendrecv`), for ranks of
    another communicator, and for communicators split off for the members of an arm.

    ## Known false negatives
    Branches that `jax.lax.cond` decides when the program runs: JM507. Collectives inside called functions, unless the
    function is nothing but one collective.

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
    remedy = "record the collective on every rank, and let the rank decide only what is done with its result"

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
