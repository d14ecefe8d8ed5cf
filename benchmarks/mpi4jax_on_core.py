"""mpi4jax's own tests, from its source distribution, on our collectives core under the sanitizer (`backend=core`).

    python benchmarks/mpi4jax_on_core.py [--ranks 1 2 4] [--source FOLDER]

All tests of public behaviour must pass, and nothing may be reported; intentional differences of the core are listed
with the reason. The distribution is downloaded into a temporary folder unless --source names an unpacked one.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from mpi4jax_suite import RUNNER
from mpi4py_suite import Outcome, fetch
from mpi4py_suite import execute as run_tests

LIMIT = 900
SELECTION = ("--deselect", "tests/test_examples.py", "tests")
# Intentional differences of the core: part of a test's name, and the reason.
OTHERWISE: Mapping[str, str] = {
    "test_abort_on_error": "a ValueError instead of MPI_Abort",
    "test_debug_logging": "mpi4jax's own log",
    "test_set_logging_from_envvar": "mpi4jax's own log",
    "test_mpi_abi": "mpi4jax's check of the MPI that it was built with; the core is not built with one",
    "test_decorators": "mpi4jax's internals",
    "test_validation": "mpi4jax's internals",
    "test_jax_compat": "mpi4jax's internals",
    "test_sendrecv_jacfwd": "mpi4jax rejects this derivative, the core supports it",
}


def execute(source: Path, runner: Path, ranks: int) -> Outcome:
    """Run the tests."""
    with tempfile.TemporaryDirectory(dir=runner.parent) as results:
        command = [sys.executable, str(runner), str(source), results, *SELECTION]
        return run_tests(command, ranks, True, source, Path(results), LIMIT, ["backend=core"])


def hide_package(source: Path) -> None:
    """Make the tests import the installed package, not the one beside them."""
    if (source / "mpi4jax").exists():
        (source / "mpi4jax").rename(source / "mpi4jax-not-tested")


def complaints(found: Outcome) -> Iterator[str]:
    """The unexpected results."""
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
    """Whether the core differs there intentionally."""
    return any(word in test for word in OTHERWISE)


def summary(found: Outcome) -> str:
    """The number of tests for each outcome."""
    failed = [test for test, outcome in found.tests.items() if outcome == "failed"]
    listed = sum(map(otherwise, failed))
    passed, skipped = (list(found.tests.values()).count(word) for word in ("passed", "skipped"))
    return f"{passed} passed, {listed} fail as listed, {len(failed) - listed} failed, {skipped} skipped"


def main() -> int:
    """Run the tests on each number of ranks; 1 if a result is unexpected."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--source", type=Path, help="an unpacked source distribution of mpi4jax")
    parser.add_argument("--verbose", action="store_true", help="show the output of jobs with unexpected results")
    arguments = parser.parse_args()
    bad = 0
    os.environ["JAX_PLATFORMS"] = "cpu"
    for word, why in OTHERWISE.items():
        print(f"listed: {word} ({why})")
    with tempfile.TemporaryDirectory() as scratch:
        source = arguments.source.resolve() if arguments.source else fetch(Path(scratch), "mpi4jax")
        hide_package(source)
        runner = Path(scratch) / "runner.py"
        runner.write_text(RUNNER)
        for ranks in arguments.ranks:
            found = execute(source, runner, ranks)
            wrong = list(complaints(found))
            bad += bool(wrong)
            print(f"{ranks} ranks: {summary(found)}", *wrong, sep="\n    ", flush=True)
            if wrong and arguments.verbose:
                print(found.errors)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
