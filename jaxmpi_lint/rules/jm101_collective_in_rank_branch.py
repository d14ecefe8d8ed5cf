"""JM101: collective in a rank-dependent branch."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.checks.hoist_call import hoist
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import Example
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class CollectiveInRankBranch(DivergenceRule):
    """Collective in a rank-dependent branch.

    ## What it does
    Reports a collective in one branch of a test on the rank in the same communicator, if the other branch does not
    execute a matching collective.

    ## Why is this bad?
    A collective completes only when every rank of the communicator calls it. The ranks that took the other branch never
    do: the job hangs or, worse, the call matches a later collective of the same kind and the results are wrong.

    ## Example
    ```python
    rank = comm.Get_rank()
    if rank == 0:
        config = load()
        comm.bcast(config, root=0)
    ```

    ## Use instead
    ```python
    rank = comm.Get_rank()
    config = load() if rank == 0 else None
    config = comm.bcast(config, root=0)
    ```

    ## Fix safety
    Unsafe, and offered only for a call without data that is the last statement of the branch. The call is moved after
    the branch, so that every rank makes it. Only the author can decide whether the other ranks were meant to wait
    there.

    ## Confidence
    High if the test compares the rank in the same communicator (or in one derived from it), medium if it tests a value
    derived from the rank. Both branches are compared as sets of the communication sequences that they can execute up to
    the point where they join.

    Not reported: branches with equal sequences; tests on the rank in a communicator whose relation to this one is
    unknown; communicators that `Split` creates for the ranks of the branch; `COMM_SELF`; calls of unknown functions;
    loops in which one role waits for commands; branches that end in an exception or in `Abort`; loops over all ranks
    in which each has its turn (`if i == rank`), whose calls match although they do not order the turns.

    Files, windows and plans belong to the communicator on which they were created: those of MPI, those that h5py and
    netCDF4 open on a communicator, and those of bigfile, mpi4py-fft, pfft and MP-sort.

    Collectives in called functions are reported as JM105. Collectives guarded by local values other than the rank are
    reported as JM109 (files), JM111 (caches), JM112 (clocks) and JM804 (random numbers).

    ## Known false negatives
    Tests on data that a process read or computed itself; communicators from `Split` whose colour, or the test, depends
    on more than the rank and the number of processes; calls of unknown functions: elements of tables, functions
    looked up by a computed name (`getattr(self, name)()`), methods of a parameter whose class is unknown; tests of
    values that some ranks receive in messages, which may make them equal.

    ## References
    MPI 4.1, section 6.1 (collective operations are called by all processes of the group) and section 6.14
    (correctness). Runtime check: JS101.
    """

    code = "JM101"
    name = "collective-in-rank-branch"
    severity = Severity.ERROR
    specificity = 10
    in_tests = Severity.WARNING
    sanitizer = ("JS101", "JS102", "JS104", "JS108", "JS109", "JS112", "JS202", "JS207", "JS208", "JS501", "JS503")
    selects = Cause.BRANCH
    remedy = "move the call out of the branch, or add a matching call to the other branch{at_run_time}"
    repair = hoist
    fix = Applicability.UNSAFE

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD

        def share(value):
            if comm.rank == 0:
                comm.bcast(value, root=0)
            else:
                value = comm.bcast(None, root=0)
            return value
        """,
        """
        from mpi4py import MPI

        def write(comm, data):
            if comm.rank == 0:
                print(data)
                MPI.COMM_SELF.Barrier()
            if comm.size > 1:
                comm.Barrier()
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rank = comm.Get_rank()
        if rank == 0:
            comm.bcast({"steps": 3}, root=0)  #! JM101
        """,
        """
        from mpi4py import MPI

        def sync(comm):
            comm.Barrier()

        def main():
            world = MPI.COMM_WORLD
            if world.rank != 0:
                sync(world)  #! JM101
            print("done")
        """,
        Example(
            """
            from mpi4py import MPI

            def write(comm, data):
                if comm.rank == 0:
                    print(data)
                    comm.Barrier()  #! JM101
                if comm.rank == 0:
                    comm.barrier()  #! JM101
                return data
            """,
            fixed="""
            from mpi4py import MPI

            def write(comm, data):
                if comm.rank == 0:
                    print(data)
                comm.Barrier()
                comm.barrier()
                return data
            """,
        ),
    )
