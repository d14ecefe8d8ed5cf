"""JM102."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class CollectiveAfterDivergentExit(DivergenceRule):
    """Collective that some ranks never reach because they have left before.

    ## What it does
    Reports a collective operation behind a `return`, `break`, `continue` or `sys.exit()` that only some ranks of the
    same communicator execute.

    ## Why is this bad?
    The ranks that left do not come back: the others wait in the collective for ever, or meet a later one of the same
    kind and exchange the wrong data.

    ## Example
    ```python
    def save(comm, data):
        if comm.rank != 0:
            return
        write(data)
        comm.Barrier()
    ```

    ## Use instead
    ```python
    def save(comm, data):
        if comm.rank == 0:
            write(data)
        comm.Barrier()
    ```

    ## Confidence
    As for JM101: high when the rank itself is tested. Silent when the early path performs the same sequence of
    communications as the rest of the function, when what follows is on a communicator that was split off, and when
    the path ends in an exception or in `Abort`, which ends every rank.

    ## Known false negatives
    Exits that depend on data that a process read or computed itself; collectives in called functions behind tests that
    are not known.

    ## References
    MPI 4.1, section 6.14 (correctness of collective operations). Runtime check: JS101.
    """

    code = "JM102"
    name = "collective-after-divergent-exit"
    severity = Severity.ERROR
    specificity = 20
    in_tests = Severity.WARNING
    sanitizer = ("JS101", "JS102", "JS104", "JS108", "JS109", "JS112", "JS208")
    selects = Cause.EXIT
    message = "{d.who} this {d.event.title}: the others have left before"
    remedy = "let every rank reach the call: guard only the work in between{at_run_time}"

    VALID = (
        """
        from mpi4py import MPI

        def exchange(comm, value):
            if comm.rank == 0:
                comm.bcast(value)
                return comm.gather(value)
            value = comm.bcast(None)
            return comm.gather(value)
        """,
        """
        from mpi4py import MPI

        def serial(comm, data):
            if comm.size == 1:
                return data
            return comm.allreduce(data)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        def save(comm, data):
            if comm.rank != 0:
                return
            print(data)
            comm.Barrier()  #! JM102
        """,
        """
        from mpi4py import MPI

        class Solver:
            def __init__(self, comm):
                self.comm = comm.Dup()

            def step(self):
                self.comm.Barrier()
                return self.comm.allreduce(1)

        def main():
            world = MPI.COMM_WORLD
            solver = Solver(world)
            if world.rank != 0:
                return None
            print("only here")
            return solver.step()  #! JM102
        """,
    )
