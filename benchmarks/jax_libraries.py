"""Programs with orbax, flax and JAX's own helpers, with and without the sanitizer: the same results, and no reports.

    python benchmarks/jax_libraries.py [--processes 2] [--only orbax] [--seconds 300]

The programs are in ``jax_programs``. Run it in an environment with jax, orbax-checkpoint, flax and optax; missing
packages are named. Exit code 1 if a result differs, anything is reported, or the sanitizer does not report that it
checks.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import jax_jobs

SECONDS = 300
PROGRAMS = Path(__file__).parent / "jax_programs"
NEEDS = {"orbax": "orbax-checkpoint", "flax": "flax", "optax": "optax"}


def job(program: Path, processes: int, checked: bool, seconds: float) -> jax_jobs.Job:
    """Run a program."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def command(number: int, address: str) -> list[str]:
            return [sys.executable, str(program), address, str(processes), str(number), name]

        return jax_jobs.run(command, processes, checked, folder, seconds)


def results(text: str) -> list[str]:
    """The results that a program prints, without the messages of gloo."""
    return [line for line in text.splitlines() if not line.startswith("[Gloo]")]


def complaints(off: jax_jobs.Job, on: jax_jobs.Job) -> Iterator[str]:
    """The unexpected differences and reports."""
    if off.late or any(off.statuses):
        last = [text.strip().splitlines()[-1:] for text in off.err]
        yield f"fails without the sanitizer: exit {off.statuses}, {last}"
    if off.statuses != on.statuses:
        yield f"exit {off.statuses} without, {on.statuses} with"
    for number, (one, other) in enumerate(zip(off.out, on.out, strict=True)):
        if results(one) != results(other):
            yield f"process {number} prints {results(one)} without, {results(other)} with"
    if on.codes:
        yield f"reported: {', '.join(on.codes)}"
    if not on.watched:
        yield f"the sanitizer printed: {on.said}"


def main() -> int:
    """Run every program off and on; 1 if there is any difference."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--processes", type=int, nargs="+", default=[2])
    parser.add_argument("--only", default="", help="programs whose names contain this")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="time limit of a job")
    parser.add_argument("--verbose", action="store_true", help="show the output of jobs that differ")
    arguments = parser.parse_args()
    missing = {module for module in ("jax", *NEEDS) if importlib.util.find_spec(module) is None}
    bad = count = 0
    for program in sorted(PROGRAMS.glob("*.py")):
        needed = {module for module in ("jax", *NEEDS) if f"import {module}" in program.read_text()}
        needed |= {module for module in NEEDS if program.stem.startswith(module)}
        if program.stem == "job" or arguments.only not in program.stem:
            continue
        if lacking := needed & missing:
            print(f"not run  {program.stem}: pip install {' '.join(sorted(NEEDS.get(one, one) for one in lacking))}")
            bad += 1
            continue
        for processes in arguments.processes:
            off, on = (job(program, processes, checked, arguments.seconds) for checked in (False, True))
            found = list(complaints(off, on))
            count, bad = count + 1, bad + bool(found)
            told = sum(len(results(text)) for text in on.out)
            print(f"{'DIFFERS' if found else 'same   '}  {program.stem}, {processes} processes, {told} results"
                  + "".join(f"\n         {one}" for one in found), flush=True)  # fmt: skip
            if found and arguments.verbose:
                print(*off.err, *on.err, sep="\n")
    present = (package for module, package in (("jax", "jax"), *NEEDS.items()) if module not in missing)
    versions = ", ".join(f"{package} {version(package)}" for package in present)
    print(f"{versions}: {count} jobs, {bad} differ or were not run")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
