"""JM410: all ranks test for a directory and then create it."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import InFunctions
from jaxmpi_lint.checks.mpi4py.directory_races import directory_races, existing_accepted, makers
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class MakedirsRace(CheckRule):
    """Directory creation race between ranks.

    ## What it does
    Reports `os.mkdir`, `os.makedirs` and `Path.mkdir` after a test that the directory does not exist, in code that all
    ranks execute.

    ## Why is this bad?
    Ranks reach the test at about the same time, on the same file system. Several ranks find no directory; the first one
    creates it, and the others fail with `FileExistsError`. The remaining ranks then block in the next collective. The
    failure is intermittent, and more frequent with more ranks.

    ## Example
    ```python
    rank = MPI.COMM_WORLD.Get_rank()
    if not os.path.exists("results"):
        os.makedirs("results")
    np.save(f"results/part{rank}.npy", part)
    ```

    ## Use instead
    ```python
    rank = MPI.COMM_WORLD.Get_rank()
    os.makedirs("results", exist_ok=True)
    np.save(f"results/part{rank}.npy", part)
    ```

    ## Fix safety
    Safe: `exist_ok=True` only removes the failure. `os.mkdir` becomes `os.makedirs`, which also creates missing parent
    directories.

    ## Confidence
    Medium: it is not known whether the directory is missing at the start, and whether the ranks share a file system.
    Reported only if the function itself, or every caller of it, communicates or queries the rank. Silent in branches on
    a rank, a role or a number of ranks, where a different arm of a test lets one rank create the directory, where one
    makes it before a collective that precedes the test, after another such call, which fails on all ranks but one,
    under a setting that excludes every use of a communicator in the function, in notebooks, inside `try`, for paths
    that contain a rank, a host name, a process id or a temporary directory, and where nothing shows that several ranks
    execute the code, or that the job has more than one process.

    ## Known false negatives
    Directories created without a test; tests in a separate function; code in a `try` whose handlers catch other errors.

    ## References
    Python library reference, `os.makedirs` (`exist_ok`) and `pathlib.Path.mkdir`.
    """

    code = "JM410"
    name = "makedirs-race"
    severity = Severity.WARNING
    fix = Applicability.SAFE
    detect = InFunctions(directory_races, makers)
    repair = existing_accepted
    message = "every rank that found no directory calls this `{d.kind}`: all but the first fail"
    remedy = "pass `exist_ok=True`"
    variants: ClassVar = {"mkdir": Variant(remedy="use `os.makedirs` with `exist_ok=True`")}

    VALID = (
        """
        import os
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0 and not os.path.exists("out"):
            os.makedirs("out")
        comm.Barrier()
        """,
        """
        from pathlib import Path
        from mpi4py import MPI

        def log_folder(comm):
            folder = Path("logs")
            if not folder.exists():
                folder.mkdir(exist_ok=True, parents=True)
            return folder / str(comm.rank)
        """,
    )
    INVALID = (
        Example(
            """
            import os
            from mpi4py import MPI

            rank = MPI.COMM_WORLD.Get_rank()
            if not os.path.exists("results"):
                os.makedirs("results")  #! JM410
            print("rank", rank)
            """,
            fixed="""
            import os
            from mpi4py import MPI

            rank = MPI.COMM_WORLD.Get_rank()
            if not os.path.exists("results"):
                os.makedirs("results", exist_ok=True)
            print("rank", rank)
            """,
        ),
        """
        from os import makedirs
        from os.path import exists
        from mpi4py import MPI

        def ensure(folder):
            if exists(folder):
                return
            makedirs(folder)  #! JM410

        def main():
            comm = MPI.COMM_WORLD
            ensure("out")
            comm.Barrier()

        if __name__ == "__main__":
            main()
        """,
    )
