"""Latency of a report: from the wrong call to its record, its report, and its line in the JSON file.

    python benchmarks/latency.py [--repeats 10] [--ranks 2] [--gates] [--only WORD]

Each rank records the time immediately before its wrong call; the last of these times counts. `recorded` is when a rank
wrote the error to the ledger, `printed` when the report was read from the launcher's standard error, `JSON` when its
line was in the file. Medians and worst cases in milliseconds. With ``--gates`` the exit code reports whether the limits
hold: recorded within 100 ms, printed within one second. Run it once in the environment of each MPI library.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from launching import BIN, OVERSUBSCRIBED, THREADS, environment

LIMIT = 60.0
RECORDED, PRINTED = 0.1, 1.0  # seconds
STEP = 0.0005
TOP = """
import os, sys, time
import numpy as np
from mpi4py import MPI
comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
small, space, large, much = np.ones(4), np.zeros(4), np.ones(1 << 20), np.zeros(1 << 20)
one, two = comm.Dup(), comm.Dup()
left, right = (rank - 1) % size, (rank + 1) % size
def wrong():
    with open(os.path.join(os.environ["MARKS"], str(rank)), "w") as file:
        file.write(repr(time.time()))
comm.Barrier()
time.sleep(AFTER)
comm.Barrier()
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One error."""

    name: str
    code: str
    body: str
    recorded: bool = True  # a single rank detects it, immediately
    after: float = 1.0  # seconds of the program before it


ROOT = "wrong(); comm.Bcast(small, root=rank % 2)"
ROWS = [
    Row("Bcast, different roots", "JS103", ROOT),
    Row("Bcast, different roots, at once", "JS103", ROOT, after=0.0),
    Row(
        "Allreduce, different counts", "JS105", "wrong(); comm.Allreduce(small[: 4 - rank % 2], space[: 4 - rank % 2])"
    ),
    Row("Barrier against Allreduce", "JS101", "wrong(); comm.Allreduce(small, space) if rank % 2 else comm.Barrier()"),
    Row("allreduce, different operators", "JS104", "wrong(); comm.allreduce(1, op=MPI.MAX if rank % 2 else MPI.SUM)"),
    Row("exit before a Barrier", "JS108", "wrong()\nif rank == 1: sys.exit(0)\ncomm.Barrier()", recorded=False),
    Row(
        "raise before a Barrier",
        "JS108",
        "wrong()\nif rank == 1: raise ValueError\ncomm.Barrier()",
        recorded=False,
    ),
    Row("recv against recv", "JS201", "wrong(); comm.Recv(space, source=left)", recorded=False),
    Row(
        "large send against send",
        "JS201",
        "wrong(); comm.Send(large, dest=right); comm.Recv(much, source=left)",
        recorded=False,
    ),
    Row(
        "crossed communicators",
        "JS207",
        "wrong(); (one, two)[rank % 2].Barrier(); (two, one)[rank % 2].Barrier()",
        recorded=False,
    ),
]


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds after the error."""

    recorded: float
    printed: float
    json: float


class Watch:
    """Records when a text first appears on a pipe."""

    def __init__(self, pipe: IO[bytes], word: bytes) -> None:
        self.seen: float | None = None
        self.text = b""
        self._pipe, self._word = pipe, word
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while chunk := os.read(self._pipe.fileno(), 1 << 16):
            now = time.time()
            self.text += chunk
            if self.seen is None and self._word in self.text:
                self.seen = now

    def finish(self) -> None:
        self._thread.join(LIMIT)


def variables(folder: Path) -> dict[str, str]:
    """The environment variables of a job."""
    return {
        **OVERSUBSCRIBED,
        **THREADS,
        "MARKS": str(folder),
        "JAXMPI_SANITIZE": "1",
        "JAXMPI_SANITIZE_REPORT": str(folder / "report.jsonl"),
        "JAXMPI_SANITIZE_OPTIONS": f"log_dir={folder / 'kept'}",
    }


def appeared(path: Path, process: subprocess.Popen[bytes]) -> float | None:
    """The time at which a file has a line."""
    deadline = time.monotonic() + LIMIT
    ended: float | None = None
    while time.monotonic() < deadline:
        if path.exists() and path.stat().st_size:
            return time.time()
        if process.poll() is not None and ended is None:
            ended = time.monotonic()
        if ended is not None and time.monotonic() > ended + 5:
            return None
        time.sleep(STEP)
    return None


def once(row: Row, ranks: int) -> Times:
    """One job."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.py").write_text(TOP.replace("AFTER", str(row.after)) + row.body + "\n")
        command = [str(BIN / "mpirun"), "-n", str(ranks), sys.executable, str(folder / "program.py")]
        process = subprocess.Popen(
            command, env=environment(variables(folder)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder
        )
        assert process.stderr is not None
        watch = Watch(process.stderr, f"{row.code} error".encode())
        line = appeared(folder / "report.jsonl", process)
        try:
            process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
        watch.finish()
        if line is None or watch.seen is None:
            raise SystemExit(f"error: {row.name}: no {row.code}\n{watch.text.decode(errors='replace')}")
        found = json.loads((folder / "report.jsonl").read_text().splitlines()[0])
        mistake = max(float((folder / str(rank)).read_text()) for rank in range(ranks))
        return Times(found["time"] - mistake, watch.seen - mistake, line - mistake)


def milliseconds(values: Sequence[float]) -> str:
    """The median and the maximum."""
    return f"{statistics.median(values) * 1e3:8.1f} {max(values) * 1e3:8.1f}"


def main() -> int:
    """Print the table; 1 if gates are requested and one does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--gates", action="store_true", help="fail if a limit does not hold")
    parser.add_argument("--only", default="", help="rows whose names contain this")
    arguments = parser.parse_args()
    title = f"{arguments.ranks} ranks, ms: median, worst"
    print(f"{title:32} {'recorded':>17} {'printed':>17} {'JSON':>17}")
    failed = False
    for row in ROWS:
        if arguments.only not in row.name:
            continue
        all_times = [once(row, arguments.ranks) for _ in range(arguments.repeats)]
        recorded = [one.recorded for one in all_times]
        printed = [one.printed for one in all_times]
        good = max(printed) <= PRINTED and (not row.recorded or max(recorded) <= RECORDED)
        shown = milliseconds(recorded) if row.recorded else ""
        lines = milliseconds([one.json for one in all_times])
        print(f"{row.name:32} {shown:>17} {milliseconds(printed)} {lines}  {'pass' if good else 'FAIL'}")
        sys.stdout.flush()
        failed |= not good
    return int(failed and arguments.gates)


if __name__ == "__main__":
    sys.exit(main())
