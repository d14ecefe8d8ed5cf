"""mpi4py's own tests and demonstrations with and without the sanitizer: the same outcomes, and no reports.

    python benchmarks/mpi4py_suite.py [--subset] [--ranks 1 2 3 4] [--only cco rma] [--hosts 2] [--source FOLDER]

pip downloads the source distribution of the installed version into a temporary folder, unless ``--source`` names one.
Every file is a separate job. Exit code 1 if an outcome differs or anything is reported; programs that hang without the
sanitizer are named. `--subset` takes a few files on 2 and 3 ranks, five minutes at most. `--hosts` deals the ranks to
hosts made from namespaces, and a job counts as different unless its hosts were compared. Run it once in the environment
of each MPI library.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from job_hosts import HERE, SHARED_FOLDER, Place, end_all, place_of, wait_for_all

LIMIT = 120
LINGERING = 30
TYPED = "100\n0\n"  # demonstrations read a number of intervals until it is 0
SUBSET = (
    "test_cco_buf", "test_cco_nb_buf", "test_cco_obj", "test_cco_vec", "test_cco_ngh_buf", "test_cco_pr_buf",
    "test_p2p_buf", "test_p2p_obj", "test_p2p_buf_matched", "test_comm", "test_comm_inter", "test_comm_topo",
    "test_group", "test_op", "test_request", "test_win", "test_threads",
)  # fmt: skip
PROVOKING: Mapping[str, str] = {
    "test_exceptions": "calls with invalid arguments",
    "test_errhandler": "intentional errors",
    "test_fault": "revokes communicators",
    "test_ulfm": "without ULFM mpi4py replaces Iagree by Iallreduce, which the test enters in different orders",
    "test_spawn": "ranks of other jobs; also unstable alone",
    "test_dynproc": "ranks of other jobs; also unstable alone",
    "nxtval-mpi3": "with Open MPI its counter is wrong in most runs, also alone",
    "mandelbrot-master": "starts a program in Fortran that has to be compiled first; fails or hangs alone",
}
NOT_DEMOS = ("setup.py", "run", "test_")
RUNNER = """
import json, os, sys, unittest
folder, name, target = sys.argv[1:]
sys.path.insert(0, folder)
os.chdir(folder)
from mpi4py import MPI
outcomes = {}
class Result(unittest.TextTestResult):
    def addSuccess(self, test):
        outcomes[test.id()] = "passed"
        super().addSuccess(test)
    def addFailure(self, test, error):
        outcomes[test.id()] = "failed"
        super().addFailure(test, error)
    def addError(self, test, error):
        outcomes[test.id()] = "error"
        super().addError(test, error)
    def addSkip(self, test, reason):
        outcomes[test.id()] = "skipped"
        super().addSkip(test, reason)
suite = unittest.defaultTestLoader.loadTestsFromName(name)
unittest.TextTestRunner(verbosity=0, resultclass=Result).run(suite)
with open(os.path.join(target, f"{MPI.COMM_WORLD.rank}.json"), "w") as file:
    json.dump(outcomes, file)
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a job."""

    status: int | None  # None: stopped at the time limit
    tests: Mapping[str, str]  # "rank:test" -> outcome
    codes: tuple[str, ...]
    errors: str


def execute(
    command: Sequence[str], ranks: int, checked: bool, folder: Path, results: Path, limit: float = LIMIT,
    options: Sequence[str] = (), place: Place = HERE,
) -> Outcome:  # fmt: skip
    """Run a job, with these options of the sanitizer."""
    report = results / "report.jsonl"
    variables = {"JAXMPI_SANITIZE": "1" if checked else "0", "JAXMPI_SANITIZE_REPORT": str(report)}
    variables["JAXMPI_SANITIZE_OPTIONS"] = ":".join([f"log_dir={results / 'kept'}", *options])
    typed = results / "typed"
    typed.write_text(TYPED)
    with tempfile.TemporaryFile("w+") as out, typed.open() as keys:
        job = subprocess.Popen(
            [*place.command(ranks, folder, variables), *command],
            cwd=folder, env=place.variables(variables), stdin=keys, stdout=out, stderr=out, start_new_session=True,
        )  # fmt: skip
        status: int | None = None
        try:
            status = job.wait(limit)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(job.pid, signal.SIGTERM)
            try:
                job.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(job.pid, signal.SIGKILL)
                job.wait()
            if place.number > 1:
                end_all(str(report))
        if not wait_for_all(str(report), LINGERING):  # the monitor of a job may outlive the job briefly
            print(f"a process of a job still runs {LINGERING} s after its end: its reports may be missing",
                  file=sys.stderr)  # fmt: skip
            if place.number > 1:
                end_all(str(report))
        out.seek(0)
        text = out.read()
    tests = {
        f"{path.stem}:{name}": outcome
        for path in results.glob("[0-9]*.json")
        for name, outcome in json.loads(path.read_text()).items()
    }
    lines = report.read_text().splitlines() if report.exists() else []
    return Outcome(status, tests, tuple(json.loads(line)["code"] for line in lines), text)


def fetch(folder: Path, package: str = "mpi4py") -> Path:
    """The unpacked source distribution of the installed package."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-build-isolation", "--no-binary",
               package, "--dest", str(folder), f"{package}=={version(package)}"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise SystemExit(f"error: pip cannot download {package}'s source ({last}); name an unpacked one with --source")
    (archive,) = folder.glob(f"{package}-*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return Path(str(archive).removesuffix(".tar.gz"))


def differences(off: Outcome, on: Outcome, hosts: int = 1) -> Iterator[str]:
    """The differences caused by the sanitizer; it also has to have compared the hosts."""
    if off.status != on.status:
        yield f"exit {off.status} without, {on.status} with"
    for test in sorted(off.tests.keys() | on.tests.keys()):
        if off.tests.get(test) != on.tests.get(test):
            yield f"{test}: {off.tests.get(test)} without, {on.tests.get(test)} with"
    if on.codes:
        yield f"reported: {', '.join(on.codes)}"
    if hosts > 1 and f" on {hosts} hosts (" not in on.errors:
        yield "the hosts were not compared"


def programs(source: Path, only: Sequence[str], subset: bool) -> Iterator[tuple[str, Path]]:
    """Names and files of tests and demonstrations whose names have one of these parts."""

    def is_wanted(path: Path) -> bool:
        return path.stem in only if path.stem in PROVOKING else any(part in path.stem for part in only)

    for path in sorted((source / "test").glob("test_*.py")):
        if is_wanted(path) and (not subset or path.stem in SUBSET):
            yield path.stem, path
    folders = ("", "compute-pi", "init-fini", "mandelbrot", "mpi-ref-v1", "nxtval", "reductions", "threads")
    for path in (found for folder in folders for found in sorted((source / "demo" / folder).glob("*.py"))):
        if is_wanted(path) and not subset and not path.name.startswith(NOT_DEMOS):
            yield f"demo {path.stem}", path


def main() -> int:
    """Run every program off and on; 1 if there is any difference."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--subset", action="store_true", help="some files on 2 and 3 ranks")
    parser.add_argument("--ranks", type=int, nargs="+")
    parser.add_argument("--only", nargs="+", default=[""], help="files whose names contain one of these")
    parser.add_argument("--hosts", type=int, default=1, help="deal the ranks to so many hosts made from namespaces")
    parser.add_argument("--source", type=Path, help="an unpacked source distribution of mpi4py")
    parser.add_argument("--verbose", action="store_true", help="show the output of jobs that differ")
    arguments = parser.parse_args()
    bad = total = count = 0
    for name, why in PROVOKING.items():
        print(f"excluded unless --only names it: {name} ({why})")
    several = arguments.hosts > 1
    counts = arguments.ranks or ([2, 3] if arguments.subset else [2, 3, 4] if several else [1, 2, 3, 4])
    folder = SHARED_FOLDER if several else None
    with tempfile.TemporaryDirectory(dir=folder) as scratch, place_of(arguments.hosts) as place:
        source = arguments.source.resolve() if arguments.source else fetch(Path(scratch))
        runner = Path(scratch) / "runner.py"
        runner.write_text(RUNNER)
        for name, path in programs(source, arguments.only, arguments.subset):
            for ranks in counts:
                outcomes = []
                for checked in (False, True):
                    with tempfile.TemporaryDirectory(dir=scratch) as results:
                        test = [str(runner), str(path.parent), path.stem, results]
                        command = [sys.executable, *(test if name == path.stem else [str(path)])]
                        outcomes.append(execute(command, ranks, checked, path.parent, Path(results), place=place))
                off, on = outcomes
                if off.status is None:
                    print(f"hangs    {name}, {ranks} ranks, without the sanitizer; with it: {', '.join(on.codes)}",
                          flush=True)  # fmt: skip
                    continue
                found = list(differences(off, on, arguments.hosts))
                count, total, bad = count + 1, total + len(on.tests), bad + bool(found)
                if found:
                    print(f"DIFFERS  {name}, {ranks} ranks: " + "; ".join(found[:6]), flush=True)
                    if arguments.verbose:
                        print(on.errors)
    print(f"mpi4py {version('mpi4py')}: {count} jobs, {total} outcomes, {bad} jobs differ")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
