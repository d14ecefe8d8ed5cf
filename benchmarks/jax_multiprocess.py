"""JAX's own multi-process tests with and without the sanitizer: the same outcomes, and no reports.

    python benchmarks/jax_multiprocess.py SOURCE [--processes 2 4] [--only all_gather] [--seconds 300] [--verbose]

``SOURCE`` is a source tree of jax of the installed version (a clone, or an unpacked archive of the tag; the source
distribution does not have these tests). Run it in an environment with jax and absl-py. Every file of
``tests/multiprocess`` is a separate job, on CPUs. Exit code 1 if an outcome differs, anything is reported, or the
sanitizer does not report that it checks. Tests that cannot run here are named with their own reason.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import jax_jobs

SECONDS = 300
DEVICES = 8  # in all: most of the tests require this number
CANNOT: Mapping[str, str] = {
    "tpu_device_test": "needs TPUs",
    "pgle_test": "needs GPUs and their profiler",
}
RUNNER = """
import json, runpy, sys, unittest
target, test, *flags = sys.argv[1:]
def watch(name, outcome):
    original = getattr(unittest.TestResult, name)
    def record(self, case, *rest):
        with open(target, "a") as file:
            file.write(json.dumps([case.id(), outcome, rest[0] if name == "addSkip" else ""]) + "\\n")
        return original(self, case, *rest)
    setattr(unittest.TestResult, name, record)
watch("addSuccess", "passed")
watch("addFailure", "failed")
watch("addError", "error")
watch("addSkip", "skipped")
sys.argv = [test, *flags]
runpy.run_path(test, run_name="__main__")
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a file of tests."""

    job: jax_jobs.Job
    tests: Mapping[str, str]  # "process:test" -> outcome
    reasons: Mapping[str, str]  # of tests that were skipped


def outcome(path: Path, processes: int, checked: bool, runner: Path, seconds: float) -> Outcome:
    """Run one file of tests."""
    with tempfile.TemporaryDirectory(dir=runner.parent) as name:
        folder = Path(name)

        def command(number: int, address: str) -> list[str]:
            flags = {
                "num_processes": processes, "multiprocess_test_worker_id": number,
                "multiprocess_test_controller_address": address, "heartbeat_timeout": 60, "shutdown_timeout": 60,
                "initialization_timeout": 120, "barrier_timeout": 120,
                "jax_num_cpu_devices": max(1, DEVICES // processes),
            }  # fmt: skip
            given = [f"--{flag}={value}" for flag, value in flags.items()]
            return [sys.executable, str(runner), str(folder / f"{number}.tests"), str(path), *given]

        job = jax_jobs.run(command, processes, checked, folder, seconds)
        tests, reasons = {}, {}
        for number in range(processes):
            told = folder / f"{number}.tests"
            for line in told.read_text().splitlines() if told.exists() else ():
                test, result, reason = json.loads(line)
                tests[f"{number}:{test.removeprefix('__main__.')}"] = result
                if reason:
                    reasons[test.removeprefix("__main__.")] = reason.strip()
        return Outcome(job, tests, reasons)


def complaints(off: Outcome, on: Outcome) -> Iterator[str]:
    """The differences and messages caused by the sanitizer."""
    if on.job.late and not off.job.late:
        yield "did not end with the sanitizer"
    if off.job.statuses != on.job.statuses:
        yield f"exit {off.job.statuses} without, {on.job.statuses} with"
    for test in sorted(off.tests.keys() | on.tests.keys()):
        if off.tests.get(test) != on.tests.get(test):
            yield f"{test}: {off.tests.get(test)} without, {on.tests.get(test)} with"
    if on.job.codes:
        yield f"reported: {', '.join(on.job.codes)}"
    if not on.job.watched:
        yield f"the sanitizer printed: {on.job.said}"


def main() -> int:
    """Run every file off and on; 1 if there is any difference."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", type=Path, help="a source tree of jax")
    parser.add_argument("--processes", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--only", default="", help="files whose names contain this")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="time limit of a job")
    parser.add_argument("--verbose", action="store_true", help="show the output of jobs that differ")
    arguments = parser.parse_args()
    files = sorted((arguments.source.resolve() / "tests" / "multiprocess").glob("*_test.py"))
    missing = [name for name in ("jax", "absl") if importlib.util.find_spec(name) is None]
    if missing:
        raise SystemExit(f"error: not installed for this Python: {', '.join(missing)}; run `pip install jax absl-py`")
    if not files:
        raise SystemExit(f"error: {arguments.source} has no tests/multiprocess; name a source tree of jax")
    for name, why in CANNOT.items():
        print(f"excluded: {name} ({why})")
    bad = count = 0
    totals: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        runner = Path(scratch) / "runner.py"
        runner.write_text(RUNNER)
        for path in files:
            if path.stem in CANNOT or arguments.only not in path.stem:
                continue
            for processes in arguments.processes:
                off, on = (outcome(path, processes, checked, runner, arguments.seconds) for checked in (False, True))
                found = list(complaints(off, on))
                count, bad = count + 1, bad + bool(found)
                totals.update(on.tests.values())
                ended = ", does not end without the sanitizer either" if off.job.late else ""
                results = ", ".join(f"{number} {what}" for what, number in sorted(Counter(on.tests.values()).items()))
                print(f"{'DIFFERS' if found else 'same   '}  {path.stem}, {processes} processes: {results}{ended}"
                      + "".join(f"\n         {one}" for one in found[:8]), flush=True)  # fmt: skip
                for reason, number in sorted(Counter(on.reasons.values()).items()):
                    print(f"         {number} skipped: {reason}")
                if found and arguments.verbose:
                    print(*on.job.err, sep="\n")
    told = ", ".join(f"{number} {what}" for what, number in sorted(totals.items()))
    print(f"jax {version('jax')}: {count} jobs, {told}; {bad} jobs differ")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
