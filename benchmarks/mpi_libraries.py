"""Tests and programs of other projects with and without the sanitizer: the same outcomes, and no reports.

    python benchmarks/mpi_libraries.py [--ranks 2 3] [--only numba-mpi] [--folder FOLDER] [--seconds 300]

For every project pip downloads its source distribution and installs the same version into a separate environment, which
shares the packages of the running one. All this lies in a temporary folder, or in ``--folder``, where a later run finds
it. Exit code 1 if an outcome differs, anything is reported, or the sanitizer does not report that it checks. Run it
once in the environment of each MPI library.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import site
import subprocess
import sys
import tarfile
import tempfile
import venv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from launching import BIN
from mpi4py_suite import Outcome, differences, execute

SECONDS = 300
OPTIONS = ("stall_seconds=0",)
RUNNER = """
import json, os, re, sys
target, *arguments = sys.argv[1:]
import pytest
outcomes = {}
class Outcomes:
    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            name = re.sub(r"[0-9]{7,}", "#", report.nodeid)  # an address, which differs in every run
            outcomes[name] = " ".join(filter(None, [outcomes.get(name), report.outcome]))
status = pytest.main(["-q", "-p", "no:cacheprovider", *arguments], plugins=[Outcomes()])
from mpi4py import MPI
with open(os.path.join(target, f"{MPI.COMM_WORLD.rank}.json"), "w") as file:
    json.dump(outcomes, file)
sys.exit(int(status))
"""


@dataclass(frozen=True, slots=True)
class Project:
    """A distribution, and the programs of it that are run; `{ranks}` stands for the number of ranks in arguments."""

    name: str
    needs: tuple[str, ...] = ()  # in addition to its own requirements
    tests: tuple[str, ...] = ()  # of pytest, all in one job
    programs: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    least: int = 2  # ranks
    unsteady: str = ""  # why the exit status varies, also without the sanitizer
    deserved: Mapping[str, str] = field(default_factory=dict)  # codes of true positives, and the reasons


PROJECTS = (
    Project(
        "mpi4py-fft", tests=("tests/test_darray.py", "tests/test_pencil.py"),
        deserved={"JS302": "the tests free none of the communicators that `Subcomm` creates"},
    ),
    # test_isend_irecv is excluded: it ends with a segmentation fault on Open MPI, without the sanitizer.
    Project(
        "numba-mpi",
        tests=tuple(f"tests/api/test_{name}.py" for name in (
            "allreduce", "barrier", "bcast", "scatter_gather", "sendrecv",
        )),
    ),
    # Where pytest-xdist is installed, the plugin asks it, although no plugin is loaded that is not named.
    Project(
        "mpi-pytest", tests=("tests",),
        arguments=(
            *(("-p", "xdist.plugin") if importlib.util.find_spec("xdist") else ()),
            *("-p", "pytest_mpi.plugin", "-m", "parallel[{ranks}]"),
        ),
    ),
    Project(
        "schwimmbad", needs=("dill",), programs=("tests/test_mpi.py", "tests/test_mpi_with_dill.py"),
        unsteady="the second `close` may send to workers that have exited: then Hydra ends the job with 9",
        deserved={"JS205": "`MPIPool.close` runs a second time at exit, and its messages are never received"},
    ),
    Project(
        "dask-mpi",
        programs=("dask_mpi/tests/execute_basic.py", "dask_mpi/tests/initialize_basic.py"),
        arguments=("{ranks}", "1", "0", "True"), least=4,
    ),
    Project(
        "libensemble",
        programs=tuple(f"libensemble/tests/functionality_tests/test_{name}.py" for name in (
            "1d_splitcomm", "1d_subcomm", "1d_uniform_sampling_with_comm_dup",
        )),
        least=4,
        deserved={"JS303": "one program drops the requests of its `isend`s"},
    ),
)  # fmt: skip


class NotInstalled(Exception):
    """pip has failed: why."""


def pip(python: Path, *arguments: str) -> None:
    """Run pip; NotInstalled with the line that says why it failed."""
    done = subprocess.run([str(python), "-m", "pip", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines()]
        reasons = [line for line in lines if "Error: " in line] or lines or [""]
        raise NotInstalled(f"pip {' '.join(arguments)}: {reasons[-1]}")


def source_of(project: Project, folder: Path) -> tuple[Path, str]:
    """The unpacked source distribution, and its version."""
    only_source = ("--no-deps", "--no-binary", project.name, "--dest", str(folder))
    if not list(folder.glob("*.tar.gz")):
        pip(Path(sys.executable), "download", *only_source, project.name)
    (archive,) = folder.glob("*.tar.gz")
    source = Path(str(archive).removesuffix(".tar.gz"))
    if not source.exists():
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
    return source, source.name.rpartition("-")[2]


def environment_of(project: Project, version: str, folder: Path) -> Path:
    """The Python of an environment with the project, in which the running environment's packages can be imported."""
    home = folder / "environment"
    python, finished = home / "bin" / "python", home / "finished"
    if not finished.exists():
        venv.create(home, clear=True, with_pip=True, symlinks=True)
        (own,) = home.glob("lib/python3.*/site-packages")
        shared = [path for path in site.getsitepackages() if Path(path).is_dir()]
        (own / "shared.pth").write_text(f"import site; list(map(site.addsitedir, {shared!r}))\n")
        pip(python, "install", f"{project.name}=={version}", "pytest>=8", *project.needs)
        finished.touch()
    return python


def jobs(project: Project, ranks: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Names of jobs, and their arguments for Python in the project's folder; `{results}` is the file for outcomes."""
    arguments = tuple(argument.format(ranks=ranks) for argument in project.arguments)
    if project.tests:
        yield "tests", ("{results}/runner.py", "{results}", *project.tests, *arguments)
    for program in project.programs:
        yield Path(program).stem, (program, *arguments)


def outcome(python: Path, words: Sequence[str], ranks: int, checked: bool, source: Path, seconds: float) -> Outcome:
    """Run a job in a fresh copy of the project's source."""
    with tempfile.TemporaryDirectory() as name:
        results = Path(name)
        (results / "runner.py").write_text(RUNNER)
        copy = Path(shutil.copytree(source, results / "source", symlinks=True))
        command = [str(python), *(word.replace("{results}", name) for word in words)]
        return execute(command, ranks, checked, copy, results, seconds, OPTIONS)


def complaints(project: Project, off: Outcome, on: Outcome) -> Iterator[str]:
    """The unexpected differences and reports."""
    if off.status is None:
        yield "takes too long without the sanitizer"
    if project.tests and not off.tests:
        yield "no test ran"
    if project.unsteady:
        off = replace(off, status=on.status)
    elif project.programs and off.status:
        yield "fails without the sanitizer"
    yield from differences(off, replace(on, codes=tuple(code for code in on.codes if code not in project.deserved)))
    if "jaxmpi-sanitize: checking" not in on.errors:
        yield "the sanitizer does not report that it checks"


def main() -> int:
    """Run every job off and on; 1 if there is any difference."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 3])
    parser.add_argument("--only", default="", help="projects whose names contain this")
    parser.add_argument("--folder", type=Path, help="folder of sources and environments")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="time limit of a job")
    parser.add_argument("--verbose", action="store_true", help="show the output of jobs that differ")
    arguments = parser.parse_args()
    # Only the plugins that a project requests.
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "agg"}
    os.environ["LD_LIBRARY_PATH"] = (
        f"{BIN.parent / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}"  # the wheels' libmpi
    )
    bad = count = total = 0
    print("| project | job | ranks | exit | outcomes | differ | reports |\n| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as scratch:
        for project in PROJECTS:
            if arguments.only not in project.name:
                continue
            folder = (arguments.folder or Path(scratch)).resolve() / project.name
            folder.mkdir(parents=True, exist_ok=True)
            try:
                source, version = source_of(project, folder)
                python = environment_of(project, version, folder)
            except NotInstalled as error:
                print(f"| {project.name} | not run: {error} |", flush=True)
                bad += 1
                continue
            for ranks in sorted({max(ranks, project.least) for ranks in arguments.ranks}):
                for name, words in jobs(project, ranks):
                    off, on = (
                        outcome(python, words, ranks, checked, source, arguments.seconds) for checked in (False, True)
                    )
                    found = list(complaints(project, off, on))
                    outcomes = len(on.tests) or 1
                    count, total, bad = count + 1, total + outcomes, bad + bool(found)
                    print(f"| {project.name} {version} | {name} | {ranks} | {on.status} | {outcomes} | "
                          f"{len(found)} | {len(on.codes)} |", flush=True)  # fmt: skip
                    print(*(f"    {one}" for one in found[:6]), sep="\n", end="\n" if found else "", flush=True)
                    if found and arguments.verbose:
                        print(off.errors, on.errors, sep="\n")
    print(f"{count} jobs, {total} outcomes, {bad} jobs differ, are reported or were not run")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
