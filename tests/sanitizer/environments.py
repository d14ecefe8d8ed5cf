"""Where an MPI is: one virtual environment for each library, because their wheels overwrite each other's `mpirun`."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
LIBRARIES = ("openmpi", "mpich")
OVERSUBSCRIBED = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",  # Open MPI 4
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
FOREIGN = ("OMPI_", "PMIX_", "PMI_", "PRTE_", "HYDRA_", "MPIEXEC_", "JAXMPI_SANITIZE")


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment with the package, mpi4py and one MPI library."""

    library: str  # "openmpi" or "mpich"
    prefix: Path
    tools: Path | None = None  # the folder of its launcher and compilers, if that is another one

    def __str__(self) -> str:
        return self.library

    @property
    def python(self) -> str:
        return str(self.script("python"))

    def script(self, name: str) -> Path:
        """A command of this environment."""
        return self.prefix / "bin" / name

    def launch(self, ranks: int, *command: str) -> list[str]:
        """The command line that starts the command on so many ranks."""
        launcher = self.tools / "mpirun" if self.tools else self.script("mpirun")
        return [str(launcher), "-n", str(ranks), *command]

    def variables(self) -> dict[str, str]:
        """The calling process's environment without other jobs' variables, as this library's launcher needs it."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        first = [str(self.tools)] if self.tools else []
        path = os.pathsep.join([*first, str(self.prefix / "bin"), kept.get("PATH", os.defpath)])
        kept |= {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        return kept | (OVERSUBSCRIBED if self.library == "openmpi" else {})


def cannot_run(message: str) -> NoReturn:
    """Skip, or fail where runs are required."""
    if os.environ.get("JAXMPI_REQUIRE_RUNS"):
        pytest.fail(message)
    pytest.skip(message)


def has(prefix: Path, distribution: str) -> bool:
    """Whether a distribution is installed there."""
    return any(prefix.glob(f"lib/python3.*/site-packages/{distribution}-*.dist-info"))


@cache
def environments() -> dict[str, Environment]:
    """What there is: named by `JAXMPI_TEST_OPENMPI` and `JAXMPI_TEST_MPICH`, else the running one and `.venv-mpich`."""
    found = {}
    for library in LIBRARIES:
        named = os.environ.get(f"JAXMPI_TEST_{library.upper()}")
        candidates = [Path(named)] if named else [Path(sys.prefix), ROOT / f".venv-{library}"]
        for prefix in candidates:
            if has(prefix, library) and has(prefix, "mpi4py") and (prefix / "bin" / "mpirun").exists():
                found[library] = Environment(library, prefix)
                break
    return found


def environment_of(library: str) -> Environment:
    """The environment of the library; without one it skips, or fails where runs are required."""
    found = environments().get(library)
    if found is None:
        cannot_run(f"no environment with {library}: run `python tests/prepare.py`")
    return found
