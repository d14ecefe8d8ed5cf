"""JM126: broadcast or scatter from a root that does not have the value."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.lone_values.other_root import replaced_by_other_root
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class RootWithoutValue(CheckRule):
    """Broadcast or scatter from a root that does not have the value.

    ## What it does
    Reports a `bcast` whose root passes None while exactly one other rank passes a value, and a `scatter` whose root
    passes None. Also reports a `Bcast` whose root passes new memory (`np.empty`) that nothing has filled while another
    rank has filled its own, or zeros while one other rank has computed values and all further ranks have zeros. Also a
    value that one rank alone computes, where the broadcast right after that has a different root and replaces it.

    ## Why is this bad?
    After the broadcast every rank has None, and the value is lost on the rank that had it: the ranks fail when they use
    it, or compute with a default. `scatter` raises an exception on the root, and the other ranks wait.

    ## Example
    ```python
    table = read_table() if comm.rank == 0 else None
    table = comm.bcast(table, root=comm.size - 1)
    ```

    ## Use instead
    ```python
    table = read_table() if comm.rank == 0 else None
    table = comm.bcast(table, root=0)
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process, for new
    memory, and for values that a different root replaces. Silent if the rank uses or sends its value before the
    broadcast, or if the broadcast keeps it, and where the chosen rank is a parameter whose default may be the root.

    ## Known false negatives
    Jobs of two ranks, in which the other rank may hold an old value. Functions that no script of the project calls;
    programs in which an unknown call may communicate; jobs with more than four ranks.

    ## References
    MPI 4.1, section 6.4: the root sends, all other processes receive. mpi4py: `reduce` and `gather` return None on
    ranks other than the root.
    """

    code = "JM126"
    name = "root-without-value"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    detect = in_functions(replaced_by_other_root)
    message = "this `{d.method}` replaces `{d.text}`, which a rank that is not its root has computed"
    remedy = "name the rank that computes `{d.text}` as the root, on all ranks"
    variants: ClassVar = {"replaced": Variant(severity=Severity.WARNING)}

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        total = comm.reduce(comm.rank, root=0)
        total = comm.bcast(total, root=0)
        print(total)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        tasks = [1, 2, 3]
        task = None
        while True:
            if comm.rank == 0:
                task = tasks.pop() if tasks else None
            task = comm.bcast(task, root=0)
            if task is None:
                break
            print(comm.rank, task)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        found = None
        owner = comm.allreduce(comm.rank if comm.rank > 1 else comm.size, op=MPI.MIN)
        if comm.rank == owner:
            found = {"rank": owner}
        if owner < comm.size:
            found = comm.bcast(found, root=owner)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        total = comm.reduce(comm.rank, root=0)
        total = comm.bcast(total, root=1)  #! JM126
        print(total)
        """,
        """
        from mpi4py import MPI


        def share(comm, table):
            return comm.bcast(table, root=comm.size - 1)  #! JM126


        def main():
            comm = MPI.COMM_WORLD
            table = None
            if comm.rank == 0:
                table = {"steps": 4}
            table = share(comm, table)
            print(table)


        main()
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        parts = None
        if comm.rank == 0:
            parts = [[n] for n in range(comm.size)]
        part = comm.scatter(parts, root=comm.size - 1)  #! JM126
        print(part)
        """,
    )
