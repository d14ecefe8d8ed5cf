"""JM101."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.checks.hoist_call import hoist
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import Example
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class CollectiveInRankBranch(DivergenceRule):
    """Collective reached by only some ranks.

    ## What it does
    Reports a collective operation on a communicator that stands in one arm of a test on the rank of that same
    communicator, while the other arm does not enter a matching one.

    ## Why is this bad?
    A collective operation completes only when every process of the communicator calls it. The processes that took the
    other arm never do: the job hangs, or, worse, the call is matched with a later collective of the same kind and the
    numbers are wrong.

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
    Unsafe, and offered only for a call without data that is the last statement of the branch: it is moved behind the
    branch, so that every process makes it. Whether the others were meant to wait there, only the author knows.

    ## Confidence
    High when the test compares the rank of the same communicator (or of one derived from it), medium when the rank
    reaches the test through other values. Both arms are compared as the sets of communication sequences that they
    can perform up to the point where they meet again, so arms with equal sequences are silent, as are tests on the
    rank of a communicator whose relation is not known, communicators made by `Split` for the members of the arm,
    `COMM_SELF`, calls of functions that are not known, loops in which one role awaits commands, and branches that
    end in an exception or `Abort`.

    Files, windows and plans belong to the communicator that they were made on: MPI's own, those of h5py and netCDF4
    that are opened on a communicator, those of bigfile, mpi4py-fft, pfft and MP-sort.

    Collectives in called functions are reported as JM105, those that other local values than the rank decide about as
    JM109 (files), JM111 (caches), JM112 (clocks) and JM804 (random numbers).

    ## Known false negatives
    Data that a process read or computed itself; pieces made by `Split` if the colour or the test follows from more than
    the rank and the number of processes; calls of functions that are not known.

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
    remedy = "move the call out of the branch, or let the other ranks take part in it{at_run_time}"
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
