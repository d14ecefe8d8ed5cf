"""Our collectives compared with mpi4jax, in one job: calls outside of `jit`, memory, operations inside `jit`.

    python benchmarks/collectives.py [--pairs 21] [--calls 10000] [--gates] [--checked] [--platform cuda]

Both libraries alternate in the same two processes, so that a busy machine slows both; the order alternates too. The
output is the median of the ratios of neighbouring measurements and its 95 % interval. ``--checked`` runs the job under
the sanitizer, ``--platform cuda`` with the arrays on an NVIDIA GPU. With ``--gates`` the exit code reports whether the
limits hold: outside of `jit` at most 1/20 of mpi4jax's time and no growth of memory, inside at most 1.05 of its time
for each operation.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from launching import BIN, OVERSUBSCRIBED, THREADS, environment
from overhead import interval

LIMIT = 1800
OUTSIDE, INSIDE = 1 / 20, 1.05  # ratios
GROWTH = 1 << 20  # bytes over all calls that do not count as growth
PROGRAM = """
import json, sys, time
import jax, jax.numpy as jnp
import mpi4jax
from mpi4py import MPI
import jaxmpi_lint.runtime.collectives as core
pairs, calls = map(int, sys.argv[1:])
comm = MPI.COMM_WORLD
def memory():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
def tell(**what):
    if comm.rank == 0:
        print("told", json.dumps(what), flush=True)
def timed(work, count):
    comm.Barrier()
    begin = time.perf_counter()
    for _ in range(count):
        result = work()
    jax.block_until_ready(result)
    return (time.perf_counter() - begin) / count * 1e6
def taking_turns(name, theirs, ours, count, fewer, operations=1):
    theirs(), ours()
    times = []
    for turn in range(pairs):
        both = [(theirs, fewer), (ours, count)]
        measured = [timed(*one) / operations for one in (both if turn % 2 else both[::-1])]
        times.append(measured if turn % 2 else measured[::-1])
    tell(name=name, times=times)
x = jnp.ones(4)
taking_turns("outside of jit", lambda: mpi4jax.allreduce(x, MPI.SUM), lambda: core.allreduce(x, MPI.SUM), 20, 1)
def growth(call, count):
    for _ in range(100):
        call()
    before = memory()
    for _ in range(count):
        call()
    return memory() - before
tell(memory=growth(lambda: core.allreduce(x, MPI.SUM), calls), calls=calls)
for size, operations in ((8, 200), (1 << 10, 200), (1 << 16, 50), (1 << 20, 10), (1 << 24, 2)):
    data = jnp.ones(size // 4)
    def looped(allreduce):
        body = lambda _, state: allreduce(state, MPI.MAX)
        function = jax.jit(lambda start: jax.lax.fori_loop(0, operations, body, start))
        return lambda: function(data)
    taking_turns(f"inside jit, {size} bytes", looped(mpi4jax.allreduce), looped(core.allreduce), 2, 2, operations)
"""


def told(pairs: int, calls: int, checked: bool, platform: str) -> list[dict[str, object]]:
    """The measurements of rank 0 of the job, one entry each."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.py"
        program.write_text(PROGRAM)
        command = [str(BIN / "mpirun"), "-n", "2", sys.executable, str(program), str(pairs), str(calls)]
        variables = {**OVERSUBSCRIBED, **THREADS, "JAX_PLATFORMS": platform, "JAXMPI_SANITIZE": str(int(checked))}
        variables["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # the ranks may share a GPU
        done = subprocess.run(
            command, env=environment(variables), capture_output=True, text=True, timeout=LIMIT, check=False
        )
    lines = [json.loads(line.partition(" ")[2]) for line in done.stdout.splitlines() if line.startswith("told ")]
    if done.returncode or not lines:
        raise SystemExit(f"error: the job ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return lines


def row(name: str, times: Sequence[tuple[float, float]]) -> bool:
    """Print a comparison; whether its limit holds."""
    theirs, ours = (statistics.median(column) for column in zip(*times, strict=True))
    ratios = [mine / other for other, mine in times]
    ratio, (low, high) = statistics.median(ratios), interval(ratios)
    limit = INSIDE if name.startswith("inside") else OUTSIDE
    print(f"{name:28} mpi4jax {theirs:10.1f} us  ours {ours:10.1f} us  ratio {ratio:.4f} [{low:.4f}, {high:.4f}]")
    return ratio <= limit


def main() -> int:
    """Measure and show; with --gates 1 if a limit does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=21)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--checked", action="store_true", help="under the sanitizer")
    parser.add_argument("--platform", default="cpu", choices=("cpu", "cuda"), help="platform of the arrays (cpu)")
    parser.add_argument("--gates", action="store_true")
    arguments = parser.parse_args()
    good = True
    for entry in told(arguments.pairs, arguments.calls, arguments.checked, arguments.platform):
        if isinstance(entry.get("memory"), int):
            grown = int(str(entry["memory"]))
            print(f"memory after {entry['calls']} calls outside of jit: {grown / 1024:+.0f} KiB")
            good &= grown <= GROWTH
        else:
            times = entry["times"]
            assert isinstance(times, list)
            good &= row(str(entry["name"]), times)
    return int(arguments.gates and not good)


if __name__ == "__main__":
    sys.exit(main())
