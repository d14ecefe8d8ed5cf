"""Programs that nobody wrote for the linter: no crash, no hang, no exception, repairs that are made once.

    python benchmarks/fuzz.py [FOLDER]... [--programs N] [--seed S] [--slice I/N] [--no-files]

Checks every ``.py`` below the folders (the standard library and site-packages of this Python if none is given) and
``--programs`` programs made by hypothesmith, each as a project of its own and with the prefilter off. Each runs in a
worker under limits of CPU time and memory. ``--slice 2/8`` takes the second eighth, so that a long run can be made in
parts. Programs that fail are cut down and saved; the exit status is 1 if there is one.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import queue
import sys
import sysconfig
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from workers import Worker

if TYPE_CHECKING:
    from checks import Verdict

CHECKS = 400  # runs spent on cutting one program down
CUTTING = 120  # seconds spent on it
FEW = 500  # bytes of a program that is cut byte by byte
REPORT = 500  # programs between two lines of progress


@dataclass(frozen=True, slots=True)
class Failure:
    """A program that something is wrong with."""

    name: str
    reason: str
    data: bytes

    @property
    def kind(self) -> str:
        """What the failures of one cause have in common."""
        return self.reason.partition(": ")[0]


@dataclass(slots=True)
class Tally:
    """What was seen so far."""

    states: Counter[str] = field(default_factory=Counter)
    findings: int = 0
    repairs: int = 0
    failures: list[Failure] = field(default_factory=list)
    disputed: list[Failure] = field(default_factory=list)

    def add(self, name: str, data: bytes, verdict: Verdict) -> None:
        """Count one program."""
        self.states[verdict.state] += 1
        self.findings += verdict.findings
        self.repairs += verdict.repairs
        self.failures += [Failure(name, reason, data) for reason in verdict.failures]
        if verdict.state == "disputed":
            self.disputed.append(Failure(name, "Python reads what the linter calls unparsable", data))
        if self.states.total() % REPORT == 0:
            print(f"{self.states.total()} programs, {len(self.failures)} failures", file=sys.stderr, flush=True)


def main() -> int:
    """Check, cut down, report."""
    given = _arguments()
    index, count = given.slice
    pool = [Worker(given.limit, given.memory) for _ in range(given.jobs)]
    tally = Tally()
    try:
        if not given.no_files:
            _check_files(files(given.folders or _installed())[index - 1 :: count], pool, tally)
        share = len(range(index - 1, given.programs, count))
        if share:
            _check_programs(share, given.seed + index - 1, pool[0], tally)
        _report(tally, pool[0], f"slice {index}/{count}")
    finally:
        for worker in pool:
            worker.close()
    return int(bool(tally.failures))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Check the linter on programs that nobody wrote for it.")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="check every .py below")
    parser.add_argument("--programs", type=int, default=2000, metavar="N", help="programs of hypothesmith (2000)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of these programs (0)")
    parser.add_argument("--slice", type=_slice, default=(1, 1), metavar="I/N", help="the I-th of N parts of all work")
    parser.add_argument("--no-files", action="store_true", help="only programs of hypothesmith")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="workers (number of cores)")
    parser.add_argument("--limit", type=float, default=10, metavar="SECONDS", help="CPU time for one program (10)")
    parser.add_argument("--memory", type=int, default=2000, metavar="MB", help="address space of a worker (2000)")
    given = parser.parse_args()
    if given.programs and importlib.util.find_spec("hypothesmith") is None:
        parser.error("hypothesmith is missing; install the extra `test`, or give --programs 0")
    return given


def _slice(text: str) -> tuple[int, int]:
    index, _, count = text.partition("/")
    if not (index.isdecimal() and count.isdecimal() and 1 <= int(index) <= int(count)):
        raise argparse.ArgumentTypeError(f"{text!r} is no part such as 2/8")
    return int(index), int(count)


def _installed() -> list[Path]:
    paths = sysconfig.get_paths()
    return [Path(paths[name]) for name in ("stdlib", "purelib", "platlib")]


def files(folders: Sequence[Path]) -> list[Path]:
    """Every Python file below the folders, once; what is installed below one is left out unless it is given."""
    found: dict[Path, None] = {}
    for folder in folders:
        if not folder.is_dir():
            raise SystemExit(f"error: {folder}: no such folder")
        base = folder.resolve()
        inside = (path for path in base.rglob("*.py") if "site-packages" not in path.relative_to(base).parts)
        found.update(dict.fromkeys(path for path in sorted(inside) if path.is_file()))
    return list(found)


def _check_files(paths: Sequence[Path], pool: Sequence[Worker], tally: Tally) -> None:
    idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
    for worker in pool:
        idle.put(worker)

    def check(path: Path) -> tuple[bytes, Verdict]:
        data = path.read_bytes()
        worker = idle.get()
        try:
            return data, worker.check(f"{path.parent.name}/{path.name}", data)
        finally:
            idle.put(worker)

    with ThreadPoolExecutor(len(pool)) as threads:
        for path, (data, verdict) in zip(paths, threads.map(check, paths), strict=True):
            tally.add(str(path), data, verdict)


def _check_programs(count: int, seed: int, worker: Worker, tally: Tally) -> None:
    """The programs of one seed are always the same; three of four come from Python's grammar, one from LibCST's."""
    import hypothesis  # noqa: PLC0415 - not needed for files
    import hypothesmith  # noqa: PLC0415

    warnings.simplefilter("ignore")
    grammar, nodes = hypothesmith.from_grammar(auto_target=False), hypothesmith.from_node(auto_target=False)
    for number, (strategy, share) in enumerate(((grammar, count - count // 4), (nodes, count // 4))):

        @hypothesis.seed(2 * seed + number)
        @hypothesis.settings(
            max_examples=max(share, 1),
            database=None,
            deadline=None,
            phases=[hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        @hypothesis.given(strategy)
        def check(program: str) -> None:
            data = program.encode("utf-8", "replace")
            tally.add(f"program of seed {seed}", data, worker.check("program.py", data))

        if share:
            check()


def _report(tally: Tally, worker: Worker, part: str) -> None:
    folder = Path(tempfile.mkdtemp(prefix="jaxmpi-lint-fuzz-")) if tally.failures or tally.disputed else Path()
    seen: Counter[str] = Counter()
    for failure in tally.failures:
        print(f"FAIL {failure.name}: {failure.reason}")
        seen[failure.kind] += 1
        if seen[failure.kind] == 1:
            path = folder / f"{len(seen)}.py"
            path.write_bytes(cut_down(failure, worker))
            print(f"     cut down: {path}")
    for number, dispute in enumerate(tally.disputed, 1):
        path = folder / f"disputed{number}.py"
        path.write_bytes(dispute.data)
        print(f"note {dispute.name}: {dispute.reason}; kept as {path}")
    states = ", ".join(f"{count} {state}" for state, count in sorted(tally.states.items()))
    done = f"{tally.states.total()} programs ({states or 'none'}), {tally.findings} findings, {tally.repairs} repairs"
    print(f"{part}: {done}, {len(tally.failures)} failures of {len(seen)} kinds")


def cut_down(failure: Failure, worker: Worker) -> bytes:
    """A smaller program that fails in the same way."""
    name = failure.name if failure.name.endswith(".py") else "program.py"
    end = time.monotonic() + CUTTING
    budget = iter(range(CHECKS))

    def fails(data: bytes) -> bool:
        if time.monotonic() > end or next(budget, None) is None:
            return False
        verdict = worker.check(Path(name).name, data)
        return any(reason.partition(": ")[0] == failure.kind for reason in verdict.failures)

    data = b"".join(_fewer(failure.data.splitlines(keepends=True), fails))
    if len(data) <= FEW:
        data = b"".join(_fewer([data[at : at + 1] for at in range(len(data))], fails))
    return data


def _fewer(pieces: list[bytes], fails: Callable[[bytes], bool]) -> list[bytes]:
    """Leave out ever smaller runs of pieces as long as what is left still fails."""
    size = max(len(pieces) // 2, 1)
    while size:
        pieces = _without_runs(pieces, size, fails)
        size //= 2
    return pieces


def _without_runs(pieces: list[bytes], size: int, fails: Callable[[bytes], bool]) -> list[bytes]:
    start = 0
    while start < len(pieces):
        shorter = pieces[:start] + pieces[start + size :]
        if fails(b"".join(shorter)):
            pieces = shorter
        else:
            start += size
    return pieces


if __name__ == "__main__":
    sys.exit(main())
