"""Overhead of the sanitizer on a JAX launch: executables with and without its hook, alternating in the same processes.

    python benchmarks/launch.py [--jobs 4] [--rounds 60] [--gates]

Two processes launch the same program on two arrays that differ in the axis name of their mesh, so that JAX prepares it
twice: once without our hook, as if the sanitizer were off, and once with it. Bursts of both alternate. For a burst each
process measures the CPU time of the launching thread until the last call has returned, that is, the work of Python and
JAX to start one; the burst is then awaited. It is CPU time because the threads of XLA and of other programs delay that
thread arbitrarily. A round is the lower decile of the bursts of each kind in process 0. Two executables of the same
program differ by some microseconds because of their memory addresses alone: each round prepares both again, and their
order alternates. The output is the median of the rounds' differences and its 95 % interval. Every launch with the hook
is recorded with its line of the program. With ``--gates`` the exit code reports whether the limits hold; 2 if the
machine is too busy.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import jax_jobs
from overhead import interval

QUIET = 0.5  # maximum load of the processors when the measurement begins
LIMIT_SECONDS = 600  # of a job
LIMIT_US = {"jit, on the fast path": 2.0, "eager sum, through JAX's Python": 5.0}
PROGRAM = """
import sys, time
import jax, numpy as np
from jax._src import pjit
from jax.sharding import NamedSharding, PartitionSpec as P
from jaxmpi_lint.runtime import _native
address, process, rounds, bursts, calls = sys.argv[1], *map(int, sys.argv[2:])
jax.distributed.initialize(address, 2, process)
def array(axis):
    sharding = NamedSharding(jax.sharding.Mesh(np.array(jax.devices()), (axis,)), P(axis))
    return jax.make_array_from_process_local_data(sharding, np.ones(4, np.float32))
jitted = jax.jit(lambda x: x.sum())
def fast(x, calls):
    for _ in range(calls):
        last = jitted(x)
    return last
def eager(x, calls):
    for _ in range(calls):
        last = x.sum()
    return last
ways = {"jit, on the fast path": fast, "eager sum, through JAX's Python": eager}
array("proof").max().block_until_ready()
hooked = pjit._get_fastpath_data
def prepared(number):
    kinds = {}
    for kind in sorted(["off", "on"], reverse=number % 2):
        pjit._get_fastpath_data = hooked if kind == "on" else hooked.__wrapped__
        kinds[kind] = array(f"{kind}{number}")
        for way in ways.values():
            way(kinds[kind], 10).block_until_ready()
    return kinds
def burst(way, x):
    begin = time.thread_time_ns()
    last = way(x, calls)
    took = (time.thread_time_ns() - begin) / calls / 1000
    last.block_until_ready()
    return took
recorded = 0
for number in range(rounds):
    kinds = prepared(number)
    before = _native.launches_recorded()
    for name, way in ways.items():
        times = {kind: [] for kind in kinds}
        for turn in range(bursts):
            for kind in sorted(kinds, reverse=turn % 2):
                times[kind].append(burst(way, kinds[kind]))
        off, on = (sorted(times[kind])[bursts // 10] for kind in kinds)
        print("us", name, off, on, sep=";", flush=True)
    recorded += _native.launches_recorded() - before
print("recorded", recorded, sep=";", flush=True)
"""

Pairs = dict[str, list[tuple[float, float]]]


def measure(rounds: int, bursts: int, calls: int) -> Pairs:
    """Pairs of (off, on) in us of one job."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program, address = folder / "program.py", jax_jobs.free_address()
        program.write_text(PROGRAM)
        numbers = [str(number) for number in (rounds, bursts, calls)]
        started = [
            subprocess.Popen(
                [sys.executable, str(program), address, str(process), *numbers],
                env=jax_jobs.variables(True, folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                start_new_session=True,
            )
            for process in (0, 1)
        ]  # fmt: skip
        said = list(_ends(started))
    watched = [line for _, errors in said for line in errors.splitlines() if line.startswith(jax_jobs.OWN)]
    if not (len(watched) == 1 and watched[0].startswith(jax_jobs.BEGINNING)):
        raise SystemExit(f"error: the sanitizer does not check: {watched or said[0][1]}")
    return _pairs(said[0][0].splitlines(), rounds * bursts * calls * len(LIMIT_US))


def _ends(started: Iterable[subprocess.Popen[str]]) -> Iterator[tuple[str, str]]:
    """The messages of processes, whatever their exit status."""
    for process in started:
        try:
            yield process.communicate(timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            yield process.communicate()


def _pairs(lines: Iterable[str], launches: int) -> Pairs:
    found: Pairs = {way: [] for way in LIMIT_US}
    recorded = ""
    for line in lines:
        word, *fields = line.split(";")
        if word == "us":
            found[fields[0]].append((float(fields[1]), float(fields[2])))
        elif word == "recorded":
            recorded = fields[0]
    if int(recorded or 0) != launches:
        raise SystemExit(f"error: of {launches} launches {recorded or 'an unknown number of'} were recorded")
    return found


def main() -> int:
    """Print the table; with gates 1 if a limit does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=4, help="number of starts of the processes")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--bursts", type=int, default=40, help="of each kind in a round")
    parser.add_argument("--calls", type=int, default=16, help="launches of a burst")
    parser.add_argument("--gates", action="store_true", help="fail if a limit does not hold")
    arguments = parser.parse_args()
    if importlib.util.find_spec("jax") is None:
        raise SystemExit("error: jax is not installed for this Python; run `pip install jax`")
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    print(f"load at the beginning: {load:.2f} for each processor{'' if load < QUIET else ' (TOO BUSY for a verdict)'}")
    found: Pairs = {way: [] for way in LIMIT_US}
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
