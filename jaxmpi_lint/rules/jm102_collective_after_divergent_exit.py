"""JM102: collective after a divergent exit."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class CollectiveAfterDivergentExit(DivergenceRule):
    """Collective after a divergent exit.

    ## What it does
    Reports a collective after a `return`, `break`, `continue` or `sys.exit()` that only some ranks of the same
    communicator execute.

    ## Why is this bad?
    The ranks that exit early never call the collective. The other ranks block in it forever, or their call matches a
    later collective of the same kind and exchanges the wrong data.

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
    As for JM101: high if the rank itself is tested. Not reported if the path with the exit executes the same
    communication sequence as the rest of the function, if the code after the exit uses a communicator that was split
    off, or if the path ends in an exception, or in `Abort` or `os._exit`, after which the launcher ends all ranks.

    ## Known false negatives
    Exits that depend on data that a process read or computed itself; collectives in called functions that are guarded
    by unknown tests.

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
    message = "{d.who} this {d.event.title}: {d.others} before it"
    remedy = "guard only the local work, so that every rank reaches the call{at_run_time}"

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
