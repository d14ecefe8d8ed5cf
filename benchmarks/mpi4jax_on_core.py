"""mpi4jax's own tests, from its source distribution, on our collectives core under the sanitizer (`backend=core`).

    python benchmarks/mpi4jax_on_core.py [--ranks 1 2 4] [--source FOLDER]

Everything that tests public behaviour must pass, and nothing may be reported; what the core does otherwise on purpose
is listed with the reason. The distribution is downloaded into a temporary folder unless --source names an unpacked one.
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
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from launching import BIN, OVERSUBSCRIBED, THREADS, environment

LIMIT = 900
CORE = {"JAXMPI_SANITIZE": "1", "JAXMPI_SANITIZE_OPTIONS": "backend=core"}
# What the core does otherwise on purpose: part of a test's name, and why.
OTHERWISE: Mapping[str, str] = {
    "test_abort_on_error": "a ValueError instead of MPI_Abort",
    "test_debug_logging": "mpi4jax's own log",
    "test_set_logging_from_envvar": "mpi4jax's own log",
    "test_mpi_abi": "mpi4jax's check of the MPI that it was built with; there is none to build with",
    "test_decorators": "mpi4jax's internals",
    "test_validation": "mpi4jax's internals",
    "test_jax_compat": "mpi4jax's internals",
    "test_sendrecv_jacfwd": "mpi4jax refuses this derivative, the core has it",
}
RUNNER = """
import json, os, sys
import pytest
folder, target = sys.argv[1:]
os.chdir(folder)
outcomes = {}
class Record:
    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            outcomes[report.nodeid] = report.outcome
            if report.outcome == "failed":
                print(report.nodeid, report.longreprtext, sep="\\n", file=sys.stderr)
pytest.main(["-q", "-p", "no:cacheprovider", "--deselect", "tests/test_examples.py", "tests"], plugins=[Record()])
from mpi4py import MPI
with open(os.path.join(target, f"{MPI.COMM_WORLD.rank}.json"), "w") as file:
    json.dump(outcomes, file)
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the tests on so many ranks; ``status`` is None for a job that was ended because time was up."""

    status: int | None
    tests: Mapping[str, str]  # "rank:test" -> outcome
    codes: tuple[str, ...]
    text: str


def execute(source: Path, runner: Path, ranks: int) -> Outcome:
    """Run the tests."""
    with tempfile.TemporaryDirectory() as name:
        results = Path(name)
        report = results / "report.jsonl"
        command = [str(BIN / "mpirun"), "-n", str(ranks), sys.executable, str(runner), str(source), name]
        settings = {**OVERSUBSCRIBED, **THREADS, **CORE, "JAXMPI_SANITIZE_REPORT": str(report)}
        with tempfile.TemporaryFile("w+") as out:
            job = subprocess.Popen(
                command, env=environment({"JAX_PLATFORMS": "cpu", **settings}), stdin=subprocess.DEVNULL,
                stdout=out, stderr=out, start_new_session=True,
            )  # fmt: skip
            status = _end(job)
            out.seek(0)
            text = out.read()
        tests = {
            f"{path.stem}:{test}": outcome
            for path in results.glob("[0-9]*.json")
            for test, outcome in json.loads(path.read_text()).items()
        }
        lines = report.read_text().splitlines() if report.exists() else []
        findings = [json.loads(line) for line in lines]
        codes = tuple(finding["code"] for finding in findings if finding["severity"] in ("error", "warning"))
        return Outcome(status, tests, codes, text)


def _end(job: subprocess.Popen[bytes]) -> int | None:
    try:
        return job.wait(LIMIT)
    except subprocess.TimeoutExpired:
        for sign in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(job.pid, sign)
            with suppress(subprocess.TimeoutExpired):
                job.wait(10)
        return None


def fetch(folder: Path) -> Path:
    """The unpacked source distribution of the installed mpi4jax."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-build-isolation",
               "--no-binary", "mpi4jax", "--dest", str(folder), f"mpi4jax=={version('mpi4jax')}"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise SystemExit(f"error: pip cannot fetch mpi4jax's source ({last}); name an unpacked one by --source")
    (archive,) = folder.glob("mpi4jax-*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return Path(str(archive).removesuffix(".tar.gz"))


def hide_package(source: Path) -> None:
    """The tests are to import what is installed, not what lies beside them."""
    if (source / "mpi4jax").exists():
        (source / "mpi4jax").rename(source / "mpi4jax-not-tested")


def complaints(found: Outcome) -> Iterator[str]:
    """What should not be."""
    if found.status is None:
        yield "did not end"
    if not found.tests:
        yield "no test was run"
    if found.codes:
        yield f"reported {', '.join(found.codes)}"
    for test, outcome in sorted(found.tests.items()):
        if outcome == "failed" and not otherwise(test):
            yield f"failed: {test}"


def otherwise(test: str) -> bool:
    """Whether the core differs there on purpose."""
    return any(word in test for word in OTHERWISE)


def summary(found: Outcome) -> str:
    """How many tests had which outcome."""
    failed = [test for test, outcome in found.tests.items() if outcome == "failed"]
    listed = sum(map(otherwise, failed))
    passed, skipped = (list(found.tests.values()).count(word) for word in ("passed", "skipped"))
    return f"{passed} passed, {listed} fail as listed, {len(failed) - listed} failed, {skipped} skipped"


def main() -> int:
    """Run the tests on each number of ranks; 1 if anything is not as it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--source", type=Path, help="an unpacked source distribution of mpi4jax")
    parser.add_argument("--verbose", action="store_true", help="show the output of jobs that are not as they should be")
    arguments = parser.parse_args()
    bad = 0
    for word, why in OTHERWISE.items():
        print(f"listed: {word} ({why})")
    with tempfile.TemporaryDirectory() as scratch:
        source = arguments.source.resolve() if arguments.source else fetch(Path(scratch))
        hide_package(source)
        runner = Path(scratch) / "runner.py"
        runner.write_text(RUNNER)
        for ranks in arguments.ranks:
            found = execute(source, runner, ranks)
            wrong = list(complaints(found))
            bad += bool(wrong)
            print(f"{ranks} ranks: {summary(found)}", *wrong, sep="\n    ", flush=True)
            if wrong and arguments.verbose:
                print(found.text)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
