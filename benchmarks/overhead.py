"""Overhead of the sanitizer: the same loops with and without it, in pairs of alternating jobs.

    python benchmarks/overhead.py [--pairs 15] [--gates] [--only WORD] [--hosts 2] [--against ENVIRONMENT]

All checks are enabled. The jobs of a pair exist side by side, and alternate in turns of some hundredths of a second,
because the machine's speed changes from one second to the next; in each turn rank 0 times batches of calls and reports
their median. A pair's difference and ratio are the medians of its turns. Two jobs of the same program differ by some
hundredths because of their memory addresses alone: the output is the median of the pairs and its 95 % interval. (The
monitor polls its job all the time, during its turn or not, which costs both the same: 0.2 % of one processor.) With
``--gates`` the exit code reports whether the limits hold. torch's own checker (`TORCH_DISTRIBUTED_DEBUG=DETAIL`, gloo)
is measured in the same way where torch is installed.

What is added depends on the machine: where one processor sees the other's store after 260 ns instead of 30, the same
code adds three times as much. ``--against`` names the virtual environment of a different version, whose job takes its
turns beside the two others; the limits are then what may be added in relation to that version, which is to be commit
0a561b1, with which the limits were set.

``--hosts 2`` puts the two ranks on hosts made from namespaces (`tests/hosts/hosts.py`); limits are for one host.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path

from job_hosts import SHARED_FOLDER, Place, place_of
from launching import BIN, environment
from turns import Ended, Job

TURNS = 8  # of each job of a pair
ATTEMPTS = 3  # Open MPI's launcher sometimes fails to start
C_TOP = """
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static int pipe_named(const char *name, int how) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("TURNS"), name);
    return open(path, how);
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}
static int later(const void *a, const void *b) { return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b); }
int main(int argc, char **argv) {
    enum { batches = BATCHES, calls = CALLS };  // a batch is shorter than what the system lets run in one go
    double times[batches], one = 1, sum = 0;
    int rank;
    char word, text[64];
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(text, sizeof text, "%d", rank);
    int turns = pipe_named(text, O_RDONLY), told = pipe_named("told", O_WRONLY);
    while (read(turns, &word, 1) == 1 && word == 'g') {
        for (int batch = -3; batch < batches; ++batch) {
            MPI_Barrier(MPI_COMM_WORLD);
            double begin = now();
            for (int call = 0; call < calls; ++call) {
"""
C_BOTTOM = """
            }
            if (batch >= 0) times[batch] = (now() - begin) / calls;
        }
        qsort(times, batches, sizeof(double), later);
        if (rank == 0 && write(told, text, sprintf(text, "%.2f\\n", times[batches / 2])) < 0) return 1;
    }
    (void)requests; (void)sum;
    MPI_Finalize();
    return 0;
}
"""
PYTHON_TOP = """
import os, statistics, time
import numpy as np
from mpi4py import MPI
comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
one, total, other = np.ones(1), np.empty(1), 1 - rank
field = np.random.default_rng(0).random((514, 514))
up, down = (rank - 1) % size, (rank + 1) % size
def step(turn):
    requests = [comm.Irecv(field[0], source=up, tag=1), comm.Irecv(field[-1], source=down, tag=2),
                comm.Isend(field[1], dest=up, tag=2), comm.Isend(field[-2], dest=down, tag=1)]
    MPI.Request.Waitall(requests)
    field[1:-1, 1:-1] = 0.25 * (field[:-2, 1:-1] + field[2:, 1:-1] + field[1:-1, :-2] + field[1:-1, 2:])
    if turn % 10 == 0:
        one[0] = field[1:-1, 1:-1].sum()
        comm.Allreduce(one, total)
def first(): comm.Allreduce(one, total)
def second(): first()
def third(): second()
def fourth(): third()
def fifth(): fourth()
turns = open(os.path.join(os.environ["TURNS"], str(rank)), "rb", buffering=0)
told = open(os.path.join(os.environ["TURNS"], "told"), "w")
while turns.read(1) == b"g":
    times = []
    for batch in range(-3, BATCHES):
        comm.Barrier()
        begin = time.perf_counter_ns()
        for turn in range(CALLS):
            BODY
        if batch >= 0:
            times.append((time.perf_counter_ns() - begin) / CALLS)
    if rank == 0:
        print(statistics.median(times), file=told, flush=True)
"""
TORCH = """
import os, statistics, sys, time
import torch, torch.distributed as dist
dist.init_process_group("gloo")
one, rank = torch.ones(1), dist.get_rank()
turns = open(os.path.join(os.environ["TURNS"], str(rank)), "rb", buffering=0)
told = open(os.path.join(os.environ["TURNS"], "told"), "w")
while turns.read(1) == b"g":
    times = []
    for batch in range(-2, 11):
        begin = time.perf_counter_ns()
        for _ in range(20):
            dist.all_reduce(one)
        if batch >= 0:
            times.append((time.perf_counter_ns() - begin) / 20)
    if rank == 0:
        print(statistics.median(times), file=told, flush=True)
dist.barrier()
dist.destroy_process_group()
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One loop, and its limit: added ns (median), ratio (median), or ratio (upper end of interval).

    ``growth`` is the limit with ``--against`` in place of these: of what is added, in relation to what the other
    version adds.
    """

    name: str
    body: str
    language: str  # "C", "Python", "callers" (Python; both jobs are checked, the first without callers) or "torch"
    batches: int = 61  # of a turn
    calls: int = 100
    added: float | None = None
    ratio: float | None = None
    upper: float | None = None
    growth: float | None = None


ROWS = [
    Row(
        "C, Allreduce of 8 bytes",
        "MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);",
        "C",
        calls=500,
        added=45,
        growth=45 / 37,
    ),
    Row(
        "C, Isend + Irecv + Waitall",
        "MPI_Irecv(&sum, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, requests);"
        "MPI_Isend(&one, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, requests + 1);"
        "MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);",
        "C",
        calls=300,
        added=175,  # Open MPI takes 390 or 115 ns, which each job decides for itself; this is 0.45 of the former
        growth=0.45 / 0.37,
    ),
    Row(
        "C, Alltoallv of 8 bytes a part",
        "static double to[2], from[2]; static const int ones[] = {1, 1}, places[] = {0, 1};"
        "MPI_Alltoallv(to, ones, places, MPI_DOUBLE, from, ones, places, MPI_DOUBLE, MPI_COMM_WORLD);",
        "C",
    ),
    Row(
        "mpi4py, Allreduce of 8 bytes",
        "comm.Allreduce(one, total)",
        "Python",
        calls=300,
        ratio=1.08,
        growth=0.08 / 0.054,
    ),
    Row("mpi4py, Allreduce with 4 callers", "fifth()", "Python", calls=300, ratio=1.08, growth=0.08 / 0.054),
    Row("the same, callers on against off", "fifth()", "callers", calls=300),
    Row("mpi4py, Allreduce, Bcast in turn", "comm.Allreduce(one, total); comm.Bcast(one)", "Python", calls=150),
    Row("mpi4py, allreduce of a float", "comm.allreduce(1.0)", "Python"),
    Row(
        "mpi4py, Isend + Irecv + Wait",
        "a = comm.Irecv(total, source=other); b = comm.Isend(one, dest=other); a.Wait(); b.Wait()",
        "Python",
        ratio=1.29,
        growth=1,
    ),
    Row("halo exchange, 512 x 512 each", "step(turn)", "Python", batches=15, calls=10, ratio=1.02),
    Row("torch DETAIL, all_reduce of 4 bytes", TORCH, "torch"),
]


def commands(row: Row, folder: Path, place: Place) -> list[tuple[list[str], Mapping[str, str]]]:
    """The job without and with checking: its command and its environment variables."""

    def launch(program: Sequence[str], checked: Mapping[str, str]) -> tuple[list[str], Mapping[str, str]]:
        return [*place.command(2, folder, [*checked, "TURNS"]), *program], {**place.reaching, **checked}

    if row.language == "torch":
        path = folder / "program.py"
        path.write_text(row.body)
        command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", str(path)]
        return [(command, {}), (command, {"TORCH_DISTRIBUTED_DEBUG": "DETAIL"})]
    if row.language == "C":
        source, program = folder / "program.c", folder / "a.out"
        source.write_text(filled(C_TOP, row) + row.body + C_BOTTOM)
        subprocess.run([str(BIN / "mpicc"), "-O2", str(source), "-o", str(program)], env=environment({}), check=True)
        sanitize = [str(BIN / "jaxmpi-sanitize"), "run", str(program)]
        return [launch([str(program)], {}), launch(sanitize, {})]
    path = folder / "program.py"
    path.write_text(filled(PYTHON_TOP, row).replace("BODY", row.body))
    command = [sys.executable, str(path)]
    checked = {"JAXMPI_SANITIZE": "1"}
    if row.language == "callers":
        return [launch(command, checked | {"JAXMPI_SANITIZE_OPTIONS": "callers=0"}), launch(command, checked)]
    return [launch(command, {}), launch(command, checked)]


def filled(text: str, row: Row) -> str:
    """A program with the numbers of its row."""
    return text.replace("BATCHES", str(row.batches)).replace("CALLS", str(row.calls))


@dataclass(frozen=True, slots=True)
class Pair:
    """The results of one pair of jobs: ns of a call when off, ns added, and the ratio; medians of its turns.

    ``other``: ns that the other version adds, if there is one.
    """

    off: float
    added: float
    ratio: float
    other: float | None


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the median: order statistics, without assumptions about the distribution."""
    ordered, n = sorted(values), len(values)
    below, cut = 0.0, 0
    while cut < n // 2 and below + comb(n, cut) / 2**n <= 0.025:
        below += comb(n, cut) / 2**n
        cut += 1
    edge = max(cut - 1, 0)
    return ordered[edge], ordered[n - 1 - edge]


def measure(row: Row, pairs: int, place: Place, against: Path | None) -> list[Pair]:
    """All pairs of a row; the order of starts and that of turns alternate."""
    with tempfile.TemporaryDirectory(dir=SHARED_FOLDER) as name:
        folder = Path(name)
        jobs = commands(row, folder, place)
        if against is not None:
            command, variables = jobs[1]
            jobs.append(([word.replace(str(BIN), str(against / "bin")) for word in command], variables))
        return [measured(jobs, folder, number) for number in range(pairs)]


def measured(commands: Sequence[tuple[list[str], Mapping[str, str]]], folder: Path, number: int) -> Pair:
    """One pair of jobs, off and on, and that of the other version if there is one; SystemExit if they do not start."""
    order = list(range(len(commands)))
    if number % 2:
        order.reverse()
    jobs = {which: started(*commands[which], folder / f"{number}.{which}") for which in order}
    times: dict[int, list[float]] = {which: [] for which in order}
    for turn in range(TURNS):
        for which in reversed(order) if turn % 2 else order:
            try:
                times[which].append(jobs[which].turn())
            except Ended as error:
                raise SystemExit(f"error: a job ended in its turn: {error}") from None
    for job in jobs.values():
        job.end()

    def added(which: int) -> float:
        return statistics.median(on - off for off, on in zip(times[0], times[which], strict=True))

    ratio = statistics.median(on / off for off, on in zip(times[0], times[1], strict=True))
    return Pair(statistics.median(times[0]), added(1), ratio, added(2) if len(commands) > 2 else None)


def started(command: Sequence[str], variables: Mapping[str, str], folder: Path) -> Job:
    """The job, ready for its turns; SystemExit if it does not start."""
    for attempt in range(ATTEMPTS):
        try:
            return Job(command, variables, folder.with_name(f"{folder.name}.{attempt}"))
        except Ended as error:
            why = error
    raise SystemExit(f"error: a job cannot be started: {why}")


def kept(row: Row, added: float, ratio: float, upper: float) -> bool:
    """Whether the row's limits hold."""
    limits = ((row.added, added), (row.ratio, ratio), (row.upper, upper))
    return all(limit is None or value <= limit for limit, value in limits)


def judged(row: Row, pairs: Sequence[Pair]) -> tuple[str, bool]:
    """The row's line in the table, and whether its limits hold."""
    added, ratios = [pair.added for pair in pairs], [pair.ratio for pair in pairs]
    off = statistics.median(pair.off for pair in pairs)
    (low, high), (least, most) = interval(added), interval(ratios)
    middle, ratio = statistics.median(added), statistics.median(ratios)
    spread = f"{low:9.1f}..{high:8.1f}"
    line = f"{row.name:36} {off:10.1f} {middle:10.1f} {spread:>19} {ratio:7.3f} {least:7.3f}..{most:6.3f}"
    limited, good = (row.added, row.ratio, row.upper) != (None, None, None), kept(row, middle, ratio, most)
    if growths := [pair.added / pair.other for pair in pairs if pair.other]:
        growth, (low, high) = statistics.median(growths), interval(growths)
        line += f" {growth:7.3f} {low:7.3f}..{high:6.3f}"
        if row.growth is not None:
            good = growth <= row.growth
    return line + ("" if not limited else "  pass" if good else "  FAIL"), good


def main() -> int:
    """Print the table; 1 if gates are requested and one does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--gates", action="store_true", help="fail if a limit does not hold")
    parser.add_argument("--only", default="", help="rows whose names contain this")
    parser.add_argument("--hosts", type=int, default=1, choices=(1, 2))
    parser.add_argument("--against", type=Path, help="the virtual environment of a different version")
    arguments = parser.parse_args()
    against = f" {'growth':>7} {'95 %':>15}" if arguments.against else ""
    print(f"{'2 ranks':36} {'off ns':>10} {'added ns':>10} {'95 %':>19} {'ratio':>7} {'95 %':>15}{against}")
    failed = False
    for row in ROWS:
        if arguments.only not in row.name:
            continue
        if row.language == "torch" and importlib.util.find_spec("torch") is None:
            print(f"{row.name:36} torch is not installed")
            continue
        with place_of(arguments.hosts) as place:
            line, good = judged(row, measure(row, arguments.pairs, place, arguments.against))
        print(line)
        sys.stdout.flush()
        failed |= not good
    return int(failed and arguments.gates)


if __name__ == "__main__":
    sys.exit(main())
