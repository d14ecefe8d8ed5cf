"""JM411: file changed by several ranks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from jaxmpi_lint.checks.base import InFunctions
from jaxmpi_lint.checks.files.changes import SharedChange, shared_changes, users
from jaxmpi_lint.checks.files.partial_tests import PartialTest, partial_tests
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def _found(function: Function) -> Iterator[SharedChange | PartialTest]:
    yield from shared_changes(function)
    yield from partial_tests(function)


class FileChangedBySeveralRanks(CheckRule):
    """File changed by several ranks.

    ## What it does
    Reports that several ranks write, remove or make one file or folder, if no message and no collective orders the two.
    Also that two ranks write overlapping parts of a file that they have opened together with `MPI.File.Open`, and
    `a or b and rank == 0` before a call that saves something: `and` binds more tightly than `or`.

    ## Why is this bad?
    Ranks that write at the same time overwrite each other's data, or leave a file with parts of both. Of the ranks that
    remove a file or make a folder, all but the first fail. An offset of the rank times the own length is right only if
    all lengths are equal.

    ## Example
    ```python
    total = comm.allreduce(energy)
    np.savetxt("energy.txt", [total])
    ```

    ## Use instead
    ```python
    total = comm.allreduce(energy)
    if comm.rank == 0:
        np.savetxt("energy.txt", [total])
    ```

    ## Confidence
    Medium: one run may end well. Low for programs of JAX without MPI, whose processes are often on hosts with separate
    disks. Reported only if the code shows that several ranks run it (the function communicates or tests the rank, or
    has called a function that always communicates, and no caller in sight selects ranks; in tests, an assertion or a
    rank that is passed on does not show it) and that the path is the same
    on all of them: it consists of constants, options and values that are equal on all ranks, or one rank uses the path
    for all, or a path next to it has the rank in it. In a function that communicates or tests the rank, parameters in a
    path count as equal if the function names the file, no call in sight passes a value of one rank, and their names do
    not say that they belong to one. Silent for ranks that take turns or make a lock file with `O_EXCL`, for what only
    the rank does that has made a new file or folder (`open(path, "x")` or `os.mkdir` in a `try`), for paths that
    may differ between ranks, for files that are opened on a communicator, after tests of unknown flags, after a
    test that the job has one process, in programs that start parallel ones (`mpiexec`, `sbatch`) and do not communicate
    themselves, or that start workers by `Spawn` and test no rank, and for operations that accept that another rank was
    faster (`exist_ok=True`, a handler). Parts of a file count if their offsets and lengths are known, or if they start
    at the rank times the number of elements that each rank has selected from its own data; equal parts, as for a header
    that all ranks write, do not.

    ## Known false negatives
    Paths that are a parameter of a function that does not communicate, and names of files that are parameters; paths
    that a call without a model computes, or that are fields of parameters; programs that change the working directory;
    helper modules that only write files and that no followed script runs; methods of an object of which only other
    methods communicate; settings that a base class outside of the project sets, in a method that only reads the rank.

    ## References
    POSIX: concurrent writes to one file are not ordered. MPI 4.1, section 14.6.1: writes of several ranks that overlap.
    Python: `os.mkdir` and `os.remove`.
    """

    code = "JM411"
    name = "file-changed-by-several-ranks"
    severity = Severity.WARNING
    detect = InFunctions(_found, users)
    message = "all ranks {d.verb} the same path in this `{d.name}`"
    remedy = "do it on one rank, or use a different path on each rank"
    variants: ClassVar = {
        "called": Variant(message="all ranks call this function, which makes them {d.verb} one path"),
        "partial": Variant(
            message="this test of the rank counts for the last part of the `or` alone: all ranks reach `{d.name}`",
            remedy="put the other conditions in parentheses",
        ),
    }

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        np.save(f"part{comm.rank}.npy", np.ones(3))
        if comm.rank == 0:
            with open("log.txt", "w") as log:
                log.write("done")
        comm.Barrier()
        """,
        """
        import os
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        os.makedirs("out", exist_ok=True)
        for turn in range(comm.size):
            if turn == comm.rank:
                with open("out/all.txt", "w") as out:
                    out.write(str(comm.rank))
            comm.Barrier()
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        total = comm.allreduce(comm.rank)
        np.savetxt("energy.txt", [total])  #! JM411
        """,
        """
        import shutil
        from pathlib import Path
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        work = Path("work")
        comm.Barrier()
        shutil.rmtree(work / "cache")  #! JM411
        """,
    )
