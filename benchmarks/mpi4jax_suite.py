"""mpi4jax's own tests with and without the sanitizer: the same outcomes, and no reports.

    python benchmarks/mpi4jax_suite.py [--ranks 1 2 4] [--only allreduce] [--hosts 2] [--seconds 1200] [--source FOLDER]

Run it in an environment with mpi4jax and pytest, once for each MPI library. pip downloads the source distribution of
the installed version into a temporary folder, unless ``--source`` names one. Every file is a separate job, which begins
with a barrier: some tests exclude ranks that the default communicator, created at its first use, requires. `--hosts`
deals the ranks to hosts made from namespaces. Exit code 1 if an outcome differs, anything is reported, the hosts were
not compared, or a job does not end in time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from job_hosts import SHARED_FOLDER, Place, place_of
from mpi4py_suite import Outcome, differences, execute, fetch

SECONDS = 400
LEFT_OUT = {
    "test_examples": "the example that it runs uses the API of mpi4jax before 0.8, and fails without the sanitizer"
}
RUNNER = """
import json, os, sys
folder, target, *selection = sys.argv[1:]
os.chdir(folder)
import mpi4jax, pytest
from mpi4py import MPI
mpi4jax.barrier()
outcomes = {}
class Outcomes:
    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            outcomes[report.nodeid] = report.outcome
status = pytest.main(["-q", "-p", "no:cacheprovider", *selection], plugins=[Outcomes()])
with open(os.path.join(target, f"{MPI.COMM_WORLD.rank}.json"), "w") as file:
    json.dump(outcomes, file)
sys.exit(int(status))
"""


def outcome(path: Path, ranks: int, checked: bool, runner: Path, seconds: float, place: Place) -> Outcome:
    """The outcome of one file of tests."""
    with tempfile.TemporaryDirectory(dir=runner.parent) as results:
        command = [sys.executable, str(runner), str(path.parent), results, path.name]
        patience = [f"stall_seconds={seconds:g}"]  # slow ranks are not tested here
        return execute(command, ranks, checked, path.parent, Path(results), seconds, patience, place)


def complaints(off: Outcome, on: Outcome, hosts: int) -> Iterator[str]:
    """The unexpected differences and reports."""
    if off.status is None:
        yield "did not end without the sanitizer: increase --seconds"
    yield from differences(off, on, hosts)


def main() -> int:
    """Run every file off and on; 1 if there is any difference."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", default="", help="files whose names contain this")
    parser.add_argument("--hosts", type=int, default=1, help="deal the ranks to so many hosts made from namespaces")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="time limit of a job")
    parser.add_argument("--source", type=Path, help="an unpacked source distribution of mpi4jax")
    parser.add_argument("--verbose", action="store_true", help="show the output of jobs that differ")
    arguments = parser.parse_args()
    for name, why in LEFT_OUT.items():
        print(f"excluded: {name} ({why})")
    bad = count = total = 0
    folder = SHARED_FOLDER if arguments.hosts > 1 else None
    with tempfile.TemporaryDirectory(dir=folder) as scratch, place_of(arguments.hosts) as place:
        source = arguments.source.resolve() if arguments.source else fetch(Path(scratch), "mpi4jax")
        runner = Path(scratch) / "runner.py"
        runner.write_text(RUNNER)
        for path in sorted((source / "tests").rglob("test_*.py")):
            if path.stem in LEFT_OUT or arguments.only not in path.stem:
                continue
            for ranks in arguments.ranks:
                off, on = (outcome(path, ranks, on, runner, arguments.seconds, place) for on in (False, True))
                found = list(complaints(off, on, arguments.hosts))
                count, total, bad = count + 1, total + len(on.tests), bad + bool(found)
                print(f"{'DIFFERS' if found else 'same   '}  {path.stem}, {ranks} ranks, {len(on.tests)} outcomes"
                      + "".join(f"\n         {one}" for one in found[:6]), flush=True)  # fmt: skip
                if found and arguments.verbose:
                    print(on.errors)
    print(f"mpi4jax {version('mpi4jax')}: {count} jobs, {total} outcomes, {bad} jobs differ")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
