"""MPICH's own tests in Fortran with and without the sanitizer: the same outcomes, all of them checked, and no reports.

    python benchmarks/fortran_suite.py SOURCE [--library openmpi] [--only f08/coll]

``SOURCE`` is a source tree of MPICH (`test/mpi/f77`, `f90` and `f08` in it). The MPI library is that of Debian's
packages, ``mpifort.openmpi`` or ``mpifort.mpich``. Tests that do not compile there, as they need parts in C, are
counted. Exit code 1 if an outcome differs, a program runs unchecked, or anything is reported.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from launching import BIN, environment

LIMIT = 60
UTILITIES = {"f77": "mtest_f77.f", "f90": "mtest_f90.f90", "f08": "mtest_f08.f90"}
LEFT_OUT = {"profile": "it replaces MPI functions"}
KINDS = {
    "@F77_MPI_ADDRESS@": "integer (kind=MPI_ADDRESS_KIND)",
    "@F77_MPI_OFFSET@": "integer (kind=MPI_OFFSET_KIND)",
}
VARIABLES = {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}
PASSED = "No Errors"
REPORT = re.compile(r"jaxmpi-sanitize: (JS\d+ \w+: .*|NOT .*|.*internal error.*)")


@dataclass(frozen=True, slots=True)
class Test:
    """A program of a list of tests."""

    source: Path
    ranks: int
    utilities: Path

    @property
    def name(self) -> str:
        return "/".join(self.source.parts[-3:])


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run."""

    status: int | None  # None: it did not end in time
    passed: bool
    checked: bool
    reports: tuple[str, ...]


def tests(source: Path, only: str) -> Iterator[Test]:
    """The tests of all lists, in their order."""
    suite = source / "test" / "mpi"
    for form, utilities in UTILITIES.items():
        for listing in sorted((suite / form).glob("*/testlist*")):
            if listing.parent.name in LEFT_OUT:
                continue
            for line in listing.read_text().splitlines():
                words = line.partition("#")[0].split()
                paths = [listing.parent / f"{words[0]}{suffix}" for suffix in (".f", ".f90")] if words else []
                found = next((path for path in paths if path.exists()), None)
                if found and len(words) > 1 and words[1].isdigit() and only in str(found):
                    yield Test(found, int(words[1]), suite / "util" / utilities)


def configure(source: Path) -> None:
    """Write the files that MPICH's configure makes from templates."""
    for template in (source / "test" / "mpi").rglob("*.h.in"):
        text = template.read_text()
        for name, kind in KINDS.items():
            text = text.replace(name, kind)
        template.with_suffix("").write_text(text)


def compiled(test: Test, library: str, folder: Path) -> Path | None:
    """The program, None if it does not compile."""
    program = folder / "program"
    flags = ["-g", "-w", "-fallow-argument-mismatch", "-I", str(test.source.parent), "-J", str(folder)]
    command = [f"mpifort.{library}", *flags, str(test.utilities), str(test.source), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, env=environment(VARIABLES), check=False)
    return None if done.returncode else program


def outcome(test: Test, program: Path, library: str, checked: bool) -> Outcome:
    """Run a program in a new folder."""
    sanitize = [str(BIN / "jaxmpi-sanitize"), "run"] if checked else []
    command = ["timeout", str(LIMIT), f"mpirun.{library}", "-n", str(test.ranks), *sanitize, str(program)]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            command, cwd=folder, env=environment(VARIABLES), capture_output=True, text=True, check=False
        )
    reports = tuple(REPORT.findall(done.stderr))
    status = None if done.returncode == 124 else done.returncode
    return Outcome(status, PASSED in done.stdout, "jaxmpi-sanitize: checking" in done.stderr, reports)


def main() -> int:
    """Compare all tests; 1 if one is not as it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--library", choices=("openmpi", "mpich"), default="openmpi")
    parser.add_argument("--only", default="", help="tests whose paths contain this")
    arguments = parser.parse_args()
    if not (arguments.source / "test" / "mpi" / "f08").is_dir():
        print(f"error: {arguments.source} is no source tree of MPICH: it has no folder test/mpi/f08", file=sys.stderr)
        return 2
    if shutil.which(f"mpifort.{arguments.library}") is None:
        print(
            f"error: no mpifort.{arguments.library}: apt install gfortran lib{arguments.library}-dev", file=sys.stderr
        )
        return 2
    for name, why in LEFT_OUT.items():
        print(f"left out: {name} ({why})")
    count = bad = uncompiled = 0
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "source"
        shutil.copytree(arguments.source / "test" / "mpi", copy / "test" / "mpi")
        configure(copy)
        for test in tests(copy, arguments.only):
            program = compiled(test, arguments.library, Path(name))
            if program is None:
                uncompiled += 1
                continue
            off, on = (outcome(test, program, arguments.library, checked) for checked in (False, True))
            count += 1
            if (off.status, off.passed) != (on.status, on.passed) or not on.checked or on.reports:
                bad += 1
                print(f"DIFFERS  {test.name}, {test.ranks} ranks: {off} {on}", flush=True)
    print(f"{arguments.library}: {count} programs, {bad} not as they should be; {uncompiled} did not compile")
    return int(bad > 0 or count == 0)


if __name__ == "__main__":
    sys.exit(main())
