"""JM114."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.checks import divergence_story
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.divergence import Divergence


class ShortCircuitCollective(DivergenceRule):
    """Collective inside an expression that only some ranks evaluate.

    ## What it does
    Reports a collective on the right of an `and` or `or`, in an arm of a conditional expression, or behind the filter
    of a comprehension, if what stands before it differs between the ranks.

    ## Why is this bad?
    Python leaves out what it need not evaluate: ranks for which the left side settles the answer never make the call,
    and the others wait for them.

    ## Example
    ```python
    failed = comm.rank == 0 and comm.allreduce(errors) > 0
    ```

    ## Use instead
    ```python
    total = comm.allreduce(errors)
    failed = comm.rank == 0 and total > 0
    ```

    ## How sure
    High when the rank itself is tested, medium when its influence came through other values. Silent where the left
    side is the same on every rank (`self.verbose and comm.allreduce(...)`), where it is not known, and where both arms
    of a conditional expression make the same call.

    ## Known misses
    Left sides that depend on a process's own data.

    ## How to silence
    `# jaxmpi-lint: ignore[JM114] reason`.

    ## References
    Python reference, section 6.11 (boolean operations). Runtime check: JS101.
    """

    code = "JM114"
    name = "short-circuit-collective"
    severity = Severity.WARNING
    remedy = "make the call in a statement of its own, before the expression (at run time: JS101)"

    VALID = (
        """
        from mpi4py import MPI

        def failed(comm, errors):
            total = comm.allreduce(errors)
            return comm.rank == 0 and total > 0
        """,
        """
        from mpi4py import MPI

        class Run:
            def __init__(self, comm, verbose):
                self.comm, self.verbose = comm, verbose

            def total(self, value):
                return self.verbose and self.comm.allreduce(value)
        """,
        """
        from mpi4py import MPI

        def share(comm, value):
            return comm.bcast(value) if comm.rank == 0 else comm.bcast(None)
        """,
        """
        from mpi4py import MPI

        def several(comm, value):
            return comm.size > 1 and comm.allreduce(value)
        """,
        """
        from mpi4py import MPI

        def first(comm, value):
            return comm.allreduce(value) > 0 and comm.rank == 0
        """,
        """
        from mpi4py import MPI

        def alone(comm, value):
            return comm.rank == 0 and MPI.COMM_SELF.allreduce(value)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        def failed(comm, errors):
            return comm.rank == 0 and comm.allreduce(errors) > 0  #! JM114
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rank = comm.Get_rank()
        value = comm.gather(rank) if rank == 0 else None  #! JM114
        """,
        """
        from mpi4py import MPI

        def chosen(comm, items):
            return [comm.bcast(item) for item in items if item == comm.rank]  #! JM114
        """,
        """
        from mpi4py import MPI

        class Run:
            def __init__(self, comm):
                self.comm = comm
                self.is_root = comm.rank == 0

            def check(self, ok):
                if self.is_root or self.comm.allreduce(ok):  #! JM114
                    print("gone on")
        """,
        """
        from mpi4py import MPI

        def norm(comm, x):
            comm.Barrier()
            return comm.allreduce(x)

        def report(comm, x):
            print(comm.rank or norm(comm, x))  #! JM114
        """,
        """
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD

        def last(x):
            return x if comm.rank else mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)  #! JM114
        """,
    )

    def message(self, divergence: Divergence) -> str:
        """Who evaluates it."""
        return f"{divergence_story.who(divergence)} this {divergence.event.title} inside an expression"
