"""The right examples without and with the sanitizer: the same exit code, lines and bits of every array.

    python benchmarks/identical.py [--ranks 1 2 4] [--only shallow]

Whenever a function of the example returns, each rank computes a digest of all arrays among its variables. Exit code 1
if anything differs or is reported. Programs of mpi4jax and JAX need these packages; run it once in the environment of
each MPI library.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from launching import BIN, OVERSUBSCRIBED, environment

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 120
NEEDS = re.compile(r"^\s*(?:from|import) (mpi4jax|jax|mpi4py)\b", re.MULTILINE)
RUNNER = """
import hashlib, os, runpy, sys
folder, target, program = sys.argv[1:4]
sys.argv = [program]
sys.path.insert(0, os.path.dirname(program))
digest, arrays = hashlib.sha256(), 0
def on_return(frame, event, value):
    global arrays
    if event != "return" or not frame.f_code.co_filename.startswith(folder):
        return
    for name in sorted(frame.f_locals):
        found = frame.f_locals[name]
        if type(found).__name__ in ("ndarray", "ArrayImpl") and getattr(found, "is_fully_addressable", True):
            import numpy
            arrays += 1
            digest.update(numpy.asarray(found).tobytes())
sys.setprofile(on_return)
try:
    runpy.run_path(program, run_name="__main__")
finally:
    sys.setprofile(None)
    with open(os.path.join(target, str(os.getpid())), "w") as file:
        file.write(f"{arrays} {digest.hexdigest()}")
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a run."""

    status: int | None  # None: stopped at the time limit
    lines: tuple[str, ...]  # of all ranks, sorted: ranks print in any order
    digests: tuple[str, ...]  # for each rank: the number of arrays, and the hash of all of them
    reports: str


def execute(program: Path, ranks: int, checked: bool) -> Outcome:
    """One run of an example."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "results").mkdir()
        (folder / "runner.py").write_text(RUNNER)
        report = folder / "report.jsonl"
        arguments = [str(folder / "runner.py"), str(program.parent), str(folder / "results"), str(program)]
        command = [str(BIN / "mpirun"), "-n", str(ranks), sys.executable, *arguments]
        variables = {"JAXMPI_SANITIZE": "1" if checked else "0", "JAXMPI_SANITIZE_REPORT": str(report)}
        try:
            done = subprocess.run(
                command,
                env=environment({**OVERSUBSCRIBED, "JAX_PLATFORMS": "cpu", **variables}),
                capture_output=True,
                text=True,
                timeout=LIMIT,
                check=False,
                cwd=folder,
            )
        except subprocess.TimeoutExpired:
            return Outcome(None, (), (), "")
        digests = tuple(sorted(path.read_text() for path in (folder / "results").iterdir()))
        told = report.read_text() if report.exists() else ""
        return Outcome(done.returncode, tuple(sorted(done.stdout.splitlines())), digests, told)


def differences(off: Outcome, on: Outcome, ranks: int) -> list[str]:
    """The differences between both runs."""
    found = []
    if on.status != off.status:
        found.append(f"exit {off.status} without, {on.status} with")
    if off.lines != on.lines:
        found.append("the output differs")
    if off.digests != on.digests:
        found.append("arrays differ")
    if len(off.digests) != ranks:
        found.append(f"{len(off.digests)} of {ranks} ranks digested")
    if on.reports:
        found.append(f"reported: {on.reports.splitlines()[0]}")
    return found


def missing(program: Path) -> list[str]:
    """The libraries that a program needs and that are not installed."""
    needed = set(NEEDS.findall(program.read_text()))
    return sorted(name for name in needed if importlib.util.find_spec(name) is None)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run every right example off and on; 1 if there is any difference."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--only", default="", help="examples whose path contains this")
    wishes = parser.parse_args(arguments)
    bad = runs = 0
    for program in sorted((ROOT / "examples").glob("*/right*.py")):
        name = f"{program.parent.name}/{program.name}"
        if wishes.only not in name or "mpi4" not in program.read_text():
            continue
        if lacks := missing(program):
            print(f"not run  {name}: needs {', '.join(lacks)}")
            continue
        for ranks in wishes.ranks:
            off = execute(program, ranks, False)
            if off.status != 0:
                print(f"not run  {name}, {ranks} ranks: ends with {off.status} without the sanitizer")
                continue
            on = execute(program, ranks, True)
            found = differences(off, on, ranks)
            runs, bad = runs + 1, bad + bool(found)
            arrays = sum(int(digest.split()[0]) for digest in on.digests)
            print(f"{'DIFFERS' if found else 'same':8} {name}, {ranks} ranks: {'; '.join(found) or f'{arrays} arrays'}")
            sys.stdout.flush()
    print(f"{runs} pairs of runs, {bad} differ")
    return int(bad > 0 or runs == 0)


if __name__ == "__main__":
    sys.exit(main())
