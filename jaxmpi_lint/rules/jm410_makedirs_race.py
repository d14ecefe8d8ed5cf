"""JM410: all ranks look for a directory and then make it."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import InFunctions
from jaxmpi_lint.checks.mpi4py.directory_races import directory_races, existing_accepted, makers
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class MakedirsRace(CheckRule):
    """Directory made by all ranks after a test that it is missing.

    ## What it does
    Finds `os.mkdir`, `os.makedirs` and `Path.mkdir` behind a test that the directory does not exist, in code that all
    ranks run.

    ## Why is this bad?
    Ranks reach the test at the same moment, on the same file system. Several of them find nothing, the first one makes
    the directory, and the others end with `FileExistsError`. The ranks that went on then wait for them in the next
    collective. It happens now and then only, and more often with more ranks.

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
    Safe: `exist_ok=True` changes nothing but the failure. `os.mkdir` becomes `os.makedirs`, which also makes the
    folders above if they are missing.

    ## Confidence
    Medium: whether the directory is missing at the start, and whether ranks share the file system, is not known. The
    function itself communicates or asks for the rank, or all its callers do. Silent behind a test of a rank, a role or
    a number of processes, where another arm of a test has one process make it, in notebooks, inside `try`, for paths
    that contain a rank, a host, a process id or a temporary folder, and where nothing shows that several processes run
    the code.

    ## Known false negatives
    Directories made without a test; tests in a function of their own; code in a `try` with handlers for other errors.

    ## References
    Python library reference, `os.makedirs` (`exist_ok`) and `pathlib.Path.mkdir`.
    """

    code = "JM410"
    name = "makedirs-race"
    severity = Severity.WARNING
    fix = Applicability.SAFE
    detect = InFunctions(directory_races, makers)
    repair = existing_accepted
    message = "every rank runs this `{d.kind}` if it found no directory before: all but the first fail"
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
