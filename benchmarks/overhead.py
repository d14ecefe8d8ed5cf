"""What the sanitizer costs: the same loops with and without it, in pairs of jobs that follow one another.

    python benchmarks/overhead.py [--pairs 11] [--gates] [--only WORD]

Everything is on. Each job communicates for a second, times batches of calls on rank 0 and tells their median; of the
pairs' ratios (and differences) the median and its 95 % interval are shown. ``--gates`` makes the exit code say whether
the limits hold. torch's own checker (`TORCH_DISTRIBUTED_DEBUG=DETAIL`, gloo) is measured in the same way where torch
is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path

from launching import BIN, THREADS, environment

LIMIT = 300
C_TOP = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}
static int later(const void *a, const void *b) { return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b); }
int main(int argc, char **argv) {
    enum { batches = 401, calls = 500 };  // shorter than what the system lets run in one go
    double times[batches], one = 1, sum = 0;
    int rank;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (double start = now(), past = 0; past < 1e9;) {
        double own = now() - start;
        MPI_Allreduce(&own, &past, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    }
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
    if (rank == 0) printf("ns %.2f\\n", times[batches / 2]);
    (void)requests; (void)sum;
    MPI_Finalize();
    return 0;
}
"""
PYTHON_TOP = """
import statistics, time
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
times = []
begin = time.perf_counter()
while comm.allreduce(time.perf_counter() - begin, op=MPI.MAX) < 1:
    comm.Barrier()
for batch in range(-3, BATCHES):
    comm.Barrier()
    begin = time.perf_counter_ns()
    for turn in range(CALLS):
        BODY
    if batch >= 0:
        times.append((time.perf_counter_ns() - begin) / CALLS)
if rank == 0:
    print("ns", statistics.median(times))
"""
TORCH = """
import os, statistics, sys, time
import torch, torch.distributed as dist
dist.init_process_group("gloo")
one, times = torch.ones(1), []
for batch in range(-2, 11):
    begin = time.perf_counter_ns()
    for _ in range(100):
        dist.all_reduce(one)
    if batch >= 0:
        times.append((time.perf_counter_ns() - begin) / 100)
if dist.get_rank() == 0:
    print("ns", statistics.median(times))
dist.barrier()
dist.destroy_process_group()
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One loop, and what it may cost at most: added ns (median), ratio (median), or ratio (upper end of interval)."""

    name: str
    body: str
    language: str  # "C", "Python" or "torch"
    batches: int = 0
    calls: int = 0
    added: float | None = None
    ratio: float | None = None
    upper: float | None = None


ROWS = [
    Row(
        "C, Allreduce of 8 bytes", "MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);", "C", added=150
    ),
    Row(
        "C, Isend + Irecv + Waitall",
        "MPI_Irecv(&sum, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, requests);"
        "MPI_Isend(&one, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, requests + 1);"
        "MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);",
        "C",
    ),
    Row("mpi4py, Allreduce of 8 bytes", "comm.Allreduce(one, total)", "Python", 401, 300, ratio=1.08),
    Row("mpi4py, allreduce of a float", "comm.allreduce(1.0)", "Python", 401, 100),
    Row(
        "mpi4py, Isend + Irecv + Wait",
        "a = comm.Irecv(total, source=other); b = comm.Isend(one, dest=other); a.Wait(); b.Wait()",
        "Python",
        401,
        100,
    ),
    Row("halo exchange, 512 x 512 each", "step(turn)", "Python", 201, 10, upper=1.03),
    Row("torch DETAIL, all_reduce of 4 bytes", TORCH, "torch"),
]


def nanoseconds(command: Sequence[str], variables: dict[str, str]) -> float:
    """What rank 0 of the job tells."""
    env = environment({**THREADS, **variables})
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=LIMIT, check=False)
    told = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("ns ")]
    if done.returncode or not told:
        raise SystemExit(f"error: {' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return float(told[0])


def jobs(row: Row, folder: Path) -> tuple[Callable[[], float], Callable[[], float]]:
    """The job without and with checking."""
    mpirun = [str(BIN / "mpirun"), "-n", "2"]
    if row.language == "C":
        source, program = folder / "program.c", folder / "a.out"
        source.write_text(C_TOP + row.body + C_BOTTOM)
        subprocess.run([str(BIN / "mpicc"), "-O2", str(source), "-o", str(program)], env=environment({}), check=True)
        sanitize = [str(BIN / "jaxmpi-sanitize"), "run", str(program)]
        return lambda: nanoseconds([*mpirun, str(program)], {}), lambda: nanoseconds([*mpirun, *sanitize], {})
    path = folder / "program.py"
    if row.language == "torch":
        path.write_text(row.body)
        command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2", str(path)]
        detail = {"TORCH_DISTRIBUTED_DEBUG": "DETAIL"}
        return lambda: nanoseconds(command, {}), lambda: nanoseconds(command, detail)
    text = PYTHON_TOP.replace("BATCHES", str(row.batches)).replace("CALLS", str(row.calls)).replace("BODY", row.body)
    path.write_text(text)
    command = [*mpirun, sys.executable, str(path)]
    return lambda: nanoseconds(command, {}), lambda: nanoseconds(command, {"JAXMPI_SANITIZE": "1"})


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the median: order statistics, without assumptions about the distribution."""
    ordered, n = sorted(values), len(values)
    below, cut = 0.0, 0
    while cut < n // 2 and below + comb(n, cut) / 2**n <= 0.025:
        below += comb(n, cut) / 2**n
        cut += 1
    edge = max(cut - 1, 0)
    return ordered[edge], ordered[n - 1 - edge]


def measure(row: Row, pairs: int) -> list[tuple[float, float]]:
    """Pairs of (off, on), in ns a call; who goes first alternates."""
    with tempfile.TemporaryDirectory() as name:
        off, on = jobs(row, Path(name))
        off()
        found = []
        for number in range(pairs):
            if number % 2:
                second = on()
                found.append((off(), second))
            else:
                first = off()
                found.append((first, on()))
    return found


def kept(row: Row, added: float, ratio: float, upper: float) -> bool:
    """Whether the row's limits hold."""
    limits = ((row.added, added), (row.ratio, ratio), (row.upper, upper))
    return all(limit is None or value <= limit for limit, value in limits)


def main() -> int:
    """Print the table; 1 if gates are asked for and one does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=11)
    parser.add_argument("--gates", action="store_true", help="fail if a limit does not hold")
    parser.add_argument("--only", default="", help="rows whose names contain this")
    arguments = parser.parse_args()
    print(f"{'2 ranks':36} {'off ns':>10} {'added ns':>10} {'95 %':>19} {'ratio':>7} {'95 %':>15}")
    failed = False
    for row in ROWS:
        if arguments.only not in row.name:
            continue
        if row.language == "torch" and importlib.util.find_spec("torch") is None:
            print(f"{row.name:36} torch is not installed")
            continue
        pairs = measure(row, arguments.pairs)
        added, ratios = [on - off for off, on in pairs], [on / off for off, on in pairs]
        off = statistics.median(off for off, _ in pairs)
        (low, high), (least, most) = interval(added), interval(ratios)
        middle, ratio = statistics.median(added), statistics.median(ratios)
        good = kept(row, middle, ratio, most)
        verdict = "" if (row.added, row.ratio, row.upper) == (None, None, None) else "  pass" if good else "  FAIL"
        spread = f"{low:9.1f}..{high:8.1f}"
        print(f"{row.name:36} {off:10.1f} {middle:10.1f} {spread:>19} {ratio:7.3f} {least:7.3f}..{most:6.3f}{verdict}")
        sys.stdout.flush()
        failed |= not good
    return int(failed and arguments.gates)


if __name__ == "__main__":
    sys.exit(main())
