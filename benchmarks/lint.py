"""The linter and its peers on the same trees in one run: CPU seconds and memory.

    python benchmarks/lint.py TREE... [--gates] [--runs N] [--limit SECONDS] [--peers FOLDER]

CPU seconds are user and system time of all processes that a command starts, medians of ``--runs`` runs; memory is that
of the largest of these processes. A slow command is run once, and stopped after ``--limit`` seconds. ``--gates`` also
checks the limits that the project sets itself; the exit status is 1 if one does not hold.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import processes
import trees

RELIABLE = 10.0  # CPU seconds above which one run is sufficient
VERSION_RUNS = 9
GATED = "netket"  # the limits of time and memory apply to the tree whose folder name starts with this
COLD, WARM, PEAK, VERSION, LINE = 4.0, 0.25, 150.0, 0.06, 200.0
MB = 1_000_000
PEERS = (
    ("ruff", ("check", "--no-cache")),
    ("pyflakes", ()),
    ("pylint", ("-E", "-j1")),
    ("fixit", ("lint",)),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One row of the table; ``remark`` explains the numbers, or why there are none."""

    name: str
    cpu: float | None = None
    peak: float | None = None
    runs: int = 0
    remark: str = ""


@dataclass(frozen=True, slots=True)
class TreeResult:
    """All measurements of a tree; ``lines`` are those of the files that communicate."""

    tree: Path
    linted: trees.Linted
    cold: Measured
    warm: Measured
    peers: tuple[Measured, ...]

    @property
    def per_line(self) -> float | None:
        """Microseconds of a cold run for each line of the files that communicate."""
        return self.cold.cpu * 1e6 / self.linted.lines if self.cold.cpu is not None and self.linted.lines else None


@dataclass(frozen=True, slots=True)
class Gate:
    """A limit that the project sets itself, and the measured value (None: not measured)."""

    what: str
    value: float | None
    limit: float
    unit: str

    @property
    def holds(self) -> bool:
        """Whether the limit holds; false if it was not measured."""
        return self.value is not None and self.value <= self.limit

    def __str__(self) -> str:
        seen = "not measured" if self.value is None else f"{self.value:.3g} {self.unit}"
        return f"{'pass' if self.holds else 'FAIL'}  {self.what}: {seen} (limit {self.limit:g} {self.unit})"


def main() -> int:
    """Measure, print, check."""
    given = _arguments()
    version = _repeated("--version", [*processes.linter(), "--version"], VERSION_RUNS, given.limit)
    print(_row("jaxmpi-lint --version", version, None))
    results: list[TreeResult] = []
    for tree in given.trees:
        results.append(_measure(tree, given))
        print("\n".join(["", *_table(results[-1])]), flush=True)
    if not given.gates:
        return 0
    gates = _gates(version, results)
    print("\n".join(["", *map(str, gates)]))
    return int(not all(gate.holds for gate in gates))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure jaxmpi-lint and its peers on the same trees.")
    parser.add_argument("trees", nargs="+", type=_folder, metavar="TREE", help="folder of a project")
    parser.add_argument("--gates", action="store_true", help="check the limits that the project sets itself")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="number of runs for the median (3)")
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS", help="time limit of a run (120)")
    parser.add_argument("--peers", metavar="FOLDER", help="folder of the other tools, such as .venv/bin")
    return parser.parse_args()


def _folder(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text}: no such folder; give that of a project")
    return path.resolve()


def _measure(tree: Path, given: argparse.Namespace) -> TreeResult:
    linted = trees.lint(tree, given.limit)
    if linted.failure is not None:
        failed = Measured("jaxmpi-lint", remark=linted.failure)
        return TreeResult(tree, linted, failed, failed, _peers(tree, given))
    plain = [*processes.linter(), "--quiet", "--exit-zero"]
    cold = _repeated("jaxmpi-lint, cold", [*plain, "--no-cache", str(tree)], given.runs, given.limit)
    return TreeResult(tree, linted, cold, _warm(tree, given), _peers(tree, given))


def _warm(tree: Path, given: argparse.Namespace) -> Measured:
    """Runs that find all findings in the cache."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*processes.linter(), "--exit-zero", "--cache-dir", folder, str(tree)]
        processes.run(command, given.limit)
        if "taken from the cache" not in processes.run([*command, "--verbose"], given.limit).err:
            return Measured("jaxmpi-lint, warm", remark="the cache was not used")
        return _repeated("jaxmpi-lint, warm", [*command, "--quiet"], given.runs, given.limit)


def _peers(tree: Path, given: argparse.Namespace) -> tuple[Measured, ...]:
    measured: list[Measured] = []
    for name, options in PEERS:
        path = processes.tool(name, given.peers)
        if path is None:
            measured.append(Measured(name, remark="missing: install the extra `bench`"))
        else:
            label = " ".join((name, *options))
            measured.append(_repeated(label, [path, *options, str(tree)], given.runs, given.limit))
    return tuple(measured)


def _repeated(name: str, command: Sequence[str], runs: int, limit: float) -> Measured:
    """Medians of several runs of a command, or the result of one long run."""
    done: list[processes.Run] = []
    while len(done) < runs:
        done.append(processes.run(command, limit))
        if done[-1].stopped:
            return Measured(name, done[-1].cpu, done[-1].peak / MB, 1, f"stopped after {limit:g} s; takes longer")
        if done[-1].cpu > RELIABLE:
            break
    cpu = statistics.median(run.cpu for run in done)
    peak = statistics.median(run.peak for run in done) / MB
    bad = [run.status for run in done if run.status < 0]
    return Measured(name, cpu, peak, len(done), f"ended by signal {-bad[0]}" if bad else "")


def _table(result: TreeResult) -> list[str]:
    linted = result.linted
    counts = f"{linted.files} files, {linted.communicating} communicate ({linted.lines} lines)"
    lines = [f"{result.tree.name}: {linted.failure or counts}"]
    lines.append(f"{'':<24}{'CPU s':>9}{'ratio':>9}{'peak MB':>9}{'runs':>6}")
    rows = (result.cold, result.warm, *result.peers)
    lines += [_row(measured.name, measured, result.cold.cpu) for measured in rows]
    if result.per_line is not None:
        lines.append(f"{'us a relevant line':<24}{result.per_line:>9.1f}")
    return lines


def _row(name: str, measured: Measured, reference: float | None) -> str:
    if measured.cpu is None or measured.peak is None:
        return f"{name:<24}{'-':>9}{'-':>9}{'-':>9}{'':>6}  {measured.remark}".rstrip()
    ratio = f"{measured.cpu / reference:.2f}" if reference else ""
    row = f"{name:<24}{measured.cpu:>9.3f}{ratio:>9}{measured.peak:>9.1f}{measured.runs:>6}  {measured.remark}"
    return row.rstrip()


def _gates(version: Measured, results: Sequence[TreeResult]) -> list[Gate]:
    """The limits; that for the relevant lines is checked on the tree with most of them."""
    gated = next((result for result in results if result.tree.name.startswith(GATED)), None)
    largest = max(results, key=lambda result: result.linted.lines)
    cold = gated.cold if gated is not None else Measured("cold")
    warm = gated.warm if gated is not None else Measured("warm")
    return [
        Gate(f"{GATED}, cold", cold.cpu, COLD, "s"),
        Gate(f"{GATED}, warm", warm.cpu, WARM, "s"),
        Gate(f"{GATED}, peak memory of a process", cold.peak, PEAK, "MB"),
        Gate("--version", version.cpu, VERSION, "s"),
        Gate(f"a relevant line ({largest.tree.name})", largest.per_line, LINE, "us"),
    ]


if __name__ == "__main__":
    sys.exit(main())
