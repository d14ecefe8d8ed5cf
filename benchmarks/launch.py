"""What the sanitizer adds to a launch of JAX: two processes with it and two without, who take turns.

    python benchmarks/launch.py [--jobs 3] [--rounds 15] [--gates]

Both jobs live at the same time, and one sleeps while the other measures. In a turn each process starts bursts of
launches and takes the CPU time of the launching thread until the last call has returned, that is, of what Python and
JAX do to start one; the burst is then awaited. CPU time, because the threads of XLA and of other programs keep that
thread waiting for as long as they please. A turn tells the lower decile of its bursts in process 0; a round is a turn
of both jobs, a pair. Of the pairs' differences the median and its 95 % interval are shown. Every launch is recorded
with its line of the program.
``--gates`` makes the exit code say whether the limits hold; 2 if the machine is too busy to tell.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import jax_jobs
from overhead import interval

QUIET = 0.5  # of the processors may be busy when the measurement begins
LIMIT_US = {"jit, on the fast path": 2.0, "eager sum, through JAX's Python": 5.0}
PROGRAM = """
import sys, time
import jax, numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P
jax.distributed.initialize(sys.argv[1], 2, int(sys.argv[2]))
mesh = jax.sharding.Mesh(np.array(jax.devices()), ("x",))
x = jax.make_array_from_process_local_data(NamedSharding(mesh, P("x")), np.ones(4, np.float32))
jitted = jax.jit(lambda x: x.sum())
def fast(calls):
    for _ in range(calls):
        last = jitted(x)
    return last
def eager(calls):
    for _ in range(calls):
        last = x.sum()
    return last
ways = {"jit, on the fast path": fast, "eager sum, through JAX's Python": eager}
for way in ways.values():
    way(50).block_until_ready()
print("ready", flush=True)
for line in sys.stdin:
    way, bursts, calls = line.strip().split(";")
    way, times = ways[way], []
    for burst in range(int(bursts)):
        begin = time.thread_time_ns()
        last = way(int(calls))
        times.append((time.thread_time_ns() - begin) / int(calls) / 1000)
        last.block_until_ready()
    print("us", sorted(times)[len(times) // 10], flush=True)
"""


@dataclass(frozen=True, slots=True)
class Pair:
    """The processes of one job."""

    started: tuple[subprocess.Popen[str], ...]
    log: Path

    def turn(self, way: str, bursts: int, calls: int) -> float:
        """CPU microseconds of a launch, as process 0 measures them."""
        for process in self.started:
            assert process.stdin is not None
            process.stdin.write(f"{way};{bursts};{calls}\n")
            process.stdin.flush()
        told = [self._answer(process.stdout, "us") for process in self.started]
        return float(told[0].split()[1])

    def wait_until_ready(self) -> None:
        """Everything is compiled."""
        for process in self.started:
            self._answer(process.stdout, "ready")

    def _answer(self, stream: IO[str] | None, word: str) -> str:
        for line in stream or ():
            if line.startswith(word):
                return line
        raise SystemExit(f"error: a process of the measurement ended\n{self.log.read_text()}")


@contextmanager
def job(checked: bool, folder: Path) -> Iterator[Pair]:
    """Two processes, until they are no longer needed."""
    folder.mkdir()
    program, log, address = folder / "program.py", folder / "log", jax_jobs.free_address()
    program.write_text(PROGRAM)
    with log.open("w") as errors:
        started = tuple(
            subprocess.Popen(
                [sys.executable, str(program), address, str(number)],
                env=jax_jobs.variables(checked, folder), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                text=True, start_new_session=True,
            )
            for number in (0, 1)
        )  # fmt: skip
    try:
        pair = Pair(started, log)
        pair.wait_until_ready()
        watched = [line for line in log.read_text().splitlines() if line.startswith(jax_jobs.OWN)]
        if checked and not (len(watched) == 1 and watched[0].startswith(jax_jobs.BEGINNING)):
            raise SystemExit(f"error: the sanitizer does not check: {watched}")
        yield pair
    finally:
        for process in started:
            if process.stdin is not None:
                process.stdin.close()
        for process in started:
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()


def measure(rounds: int, bursts: int, calls: int) -> dict[str, list[tuple[float, float]]]:
    """Pairs of (off, on) in us, of one job without and one with the sanitizer; who goes first alternates."""
    found: dict[str, list[tuple[float, float]]] = {way: [] for way in LIMIT_US}
    with (
        tempfile.TemporaryDirectory() as name,
        job(False, Path(name) / "off") as off,
        job(True, Path(name) / "on") as on,
    ):
        for number in range(-1, rounds):
            for way, pairs in found.items():
                turns = {pair: pair.turn(way, bursts, calls) for pair in ((off, on) if number % 2 else (on, off))}
                if number >= 0:
                    pairs.append((turns[off], turns[on]))
    return found


def main() -> int:
    """Print the table; with gates 1 if a limit does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=3, help="so many times both jobs are started anew")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--bursts", type=int, default=200)
    parser.add_argument("--calls", type=int, default=16, help="launches of a burst")
    parser.add_argument("--gates", action="store_true", help="fail if a limit does not hold")
    arguments = parser.parse_args()
    if importlib.util.find_spec("jax") is None:
        raise SystemExit("error: jax is not installed for this Python; run `pip install jax`")
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    print(f"load at the beginning: {load:.2f} for each processor{'' if load < QUIET else ' (TOO BUSY for a verdict)'}")
    found: dict[str, list[tuple[float, float]]] = {way: [] for way in LIMIT_US}
    for _ in range(arguments.jobs):
        for way, pairs in measure(arguments.rounds, arguments.bursts, arguments.calls).items():
            found[way] += pairs
    print(f"{'2 processes':34} {'off us':>8} {'added us':>9} {'95 %':>16} {'limit us':>9}")
    verdicts = [_row(way, pairs) for way, pairs in found.items()]
    if not arguments.gates:
        return 0
    return int(not all(verdicts)) if load < QUIET else 2


def _row(way: str, pairs: Sequence[tuple[float, float]]) -> bool:
    """Print a row; whether its limit holds."""
    added = [on - off for off, on in pairs]
    low, high = interval(added)
    middle = statistics.median(added)
    good = middle <= LIMIT_US[way]
    print(f"{way:34} {statistics.median(off for off, _ in pairs):8.2f} {middle:9.2f} {low:7.2f}..{high:7.2f} "
          f"{LIMIT_US[way]:9.1f}  {'pass' if good else 'FAIL'}")  # fmt: skip
    return good


if __name__ == "__main__":
    sys.exit(main())
