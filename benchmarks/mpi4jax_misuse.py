"""Misuse of mpi4jax: the results of the sanitizer and the linter as a table; and the correct twins.

    python benchmarks/mpi4jax_misuse.py [--only 2c] [--markdown] [--twins]

Run it in an environment with mpi4jax, once for each MPI library. The programs are those of the tests (`*_mpi4jax.py` in
`tests/sanitizer`). Exit code 1 if one has an unexpected result.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests"))

from sanitizer.ahead_mpi4jax import ALIKE, DIFFER_LATER  # noqa: E402
from sanitizer.cases import Clean, Fault, expected_places  # noqa: E402
from sanitizer.clean_mpi4jax import CORRECT  # noqa: E402
from sanitizer.environments import LIBRARIES, Environment, has  # noqa: E402
from sanitizer.expectations import complaints_about_clean, complaints_about_fault  # noqa: E402
from sanitizer.faults_mpi4jax import MISUSE  # noqa: E402
from sanitizer.harness import Result, run  # noqa: E402
from sanitizer.linted_mpi4jax import SEEN_BY_THE_LINTER, Linted  # noqa: E402

VARIABLES = {"JAX_PLATFORMS": "cpu"}


@dataclass(frozen=True, slots=True)
class Row:
    """One program."""

    name: str
    ranks: int
    expected: str
    came: str
    complaints: tuple[str, ...]


def outcome(result: Result) -> str:
    """``JS104, exit 66, 1.2 s``."""
    end = "hung" if result.hung else f"exit {result.status}"
    return ", ".join([*sorted(result.codes), end])


def misuse(fault: Fault, environment: Environment) -> Row:
    """A wrong program under the sanitizer."""
    ranks = fault.ranks[0]
    result = run(environment, fault.text, ranks, options=fault.options, variables=VARIABLES)
    complaints = complaints_about_fault(fault, result, ranks)
    codes = ", ".join(expected_places(fault.text, ranks))
    return Row(fault.name, ranks, f"{codes}, exit {fault.status}", outcome(result), tuple(complaints))


def twin(case: Clean, environment: Environment) -> Row:
    """A correct program under the sanitizer."""
    ranks = case.ranks[0]
    result = run(environment, case.text, ranks, options=case.options, variables=VARIABLES, seconds=case.seconds)
    return Row(
        case.name, ranks, f"silent, exit {case.status}", outcome(result), tuple(complaints_about_clean(case, result))
    )


def linted(case: Linted) -> Row:
    """A wrong program under the linter."""
    command = [sys.executable, "-m", "jaxmpi_lint", "--no-cache", "--output-format", "json", "-"]
    with TemporaryDirectory() as folder:  # the program alone, without the files around it
        done = subprocess.run(
            command, cwd=folder, input=case.text, capture_output=True, text=True, timeout=120, check=False
        )
    found = [(one["code"], one["location"]["row"]) for one in json.loads(done.stdout or "[]")]
    came = ", ".join(f"{code} on line {line}" for code, line in found) or "nothing"
    complaints = () if found == [(case.code, case.line)] else (f"found {came}", done.stderr)
    return Row(case.name, 0, f"linter: {case.code} on line {case.line}", f"linter: {came}", complaints)


def here() -> Environment | None:
    """The running environment, if it has an MPI library and mpi4jax."""
    prefix = Path(sys.prefix)
    library = next((name for name in LIBRARIES if has(prefix, name)), None)
    return Environment(library, prefix) if library and has(prefix, "mpi4jax") else None


def rows(environment: Environment, only: str, twins: bool) -> Iterator[Row]:
    """All rows, one after the other."""
    yield from (linted(case) for case in SEEN_BY_THE_LINTER if case.name.startswith(only))
    yield from (misuse(fault, environment) for fault in (*MISUSE, *DIFFER_LATER) if fault.name.startswith(only))
    if twins:
        yield from (twin(case, environment) for case in (*CORRECT, *ALIKE) if only in case.name)


def main() -> int:
    """Print the table; 1 if a row is not as expected."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", help="programs whose names start with this")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--twins", action="store_true", help="also the correct programs")
    arguments = parser.parse_args()
    environment = here()
    if environment is None:
        print(
            f"error: {sys.prefix} has no mpi4jax or no MPI library of pip: `python tests/prepare.py`", file=sys.stderr
        )
        return 2
    os.environ.pop("PYTHONPATH", None)
    bad = count = 0
    edge, middle = ("| ", " | ") if arguments.markdown else ("", "  ")
    if arguments.markdown:
        print(f"| program | ranks | expected | {environment.library} | |\n| --- | --- | --- | --- | --- |")
    for row in rows(environment, arguments.only, arguments.twins):
        good = "ok" if not row.complaints else "NOT AS EXPECTED"
        cells = [f"{row.name:<60}", f"{row.ranks or '-'}", f"{row.expected:<30}", f"{row.came:<30}", good]
        print(f"{edge}{middle.join(cells)}{edge[::-1]}", flush=True)
        for one in row.complaints:
            print(f"    {one}")
        count, bad = count + 1, bad + bool(row.complaints)
    print(f"{environment.library}: {count} programs, {bad} not as expected")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
