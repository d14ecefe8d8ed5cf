"""JM410: all ranks look for a directory and then make it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.participation.spmd_code import AllRanks
from jaxmpi_lint.checks.mpi4py.directory_races import DirectoryRace, directory_races
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Severity
from jaxmpi_lint.rules.base import Example, Finding, Repair, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


class MakedirsRace(Rule):
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

    ## How sure
    Medium: whether the directory is missing at the start, and whether ranks share the file system, is not known. The
    function itself communicates or asks for the rank, or all its callers do. Silent behind a test of a rank, a role or
    a number of processes, where another arm of a test has one process make it, in notebooks, inside `try`, for paths
    that contain a rank, a host, a process id or a temporary folder, and where nothing shows that several processes run
    the code.

    ## Known misses
    Directories made without a test; tests in a function of their own; code in a `try` with handlers for other errors.

    ## References
    Python library reference, `os.makedirs` (`exist_ok`) and `pathlib.Path.mkdir`.
    """

    code = "JM410"
    name = "makedirs-race"
    severity = Severity.WARNING
    fix = Applicability.SAFE

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

    def check(self, project: Program) -> Iterator[Finding]:
        """One finding for each call."""
        everyone = AllRanks(project.get(CallSites))
        for module in project.reported_modules():
            if module.ir.path.endswith(".ipynb"):
                continue  # one process runs a notebook
            if "mkdir" in module.ir.text or "makedirs" in module.ir.text:
                for function in module.functions():
                    for race in directory_races(function, everyone):
                        yield self._report(function, race)

    def _report(self, function: Function, race: DirectoryRace) -> Finding:
        name = race.maker.rpartition(".")[2]
        return self.finding(
            function.module,
            race.bound.call.span,
            f"every rank runs this `{name}` if it found no directory before: all but the first fail",
            steps=(Step(function.module, race.look, "several ranks can see at once that it is missing"),),
            remedy="pass `exist_ok=True`" if name != "mkdir" else "use `os.makedirs` with `exist_ok=True`",
            repair=_repair(function, race),
            confidence=Confidence.MEDIUM,
        )


def _repair(function: Function, race: DirectoryRace) -> Repair | None:
    call = race.bound.call
    end = call.args[-1].span[1] if call.args else call.span[1] - 1
    edits = [((end, end), ", exist_ok=True" if call.args else "exist_ok=True")]
    if race.maker == "os.mkdir":
        if not isinstance(call.func, ir.Attribute):
            return None
        start = call.func.span[1] - len(call.func.attr)
        edits.insert(0, ((start, call.func.span[1]), "makedirs"))
    return Repair(Applicability.SAFE, "do not fail where the directory exists", tuple(edits))
