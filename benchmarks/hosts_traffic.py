"""What monitors of two hosts send each other, and the processor time that they take, while nothing is wrong.

    python benchmarks/hosts_traffic.py [--seconds 20] [--gates]

Two hosts are made from namespaces (`tests/hosts/hosts.py`: needs the rights of root), each with two ranks: at rest, in
a steady loop of collectives, and in one over 500 communicators. Bytes are those of the leaf's connection to the root as
the kernel counts them, in both directions, with 66 bytes for the headers of each segment. With ``--gates`` the exit
code reports whether they are at most 2 KiB a second, and each monitor takes at most 1 % of a core.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from hosts.hosts import Host, hosts, missing
from hosts.jobs import start_on_two
from sanitizer.environments import environment_of
from sanitizer.harness import Job, monitors, wait_for

BEGIN = 8.0  # seconds until the start is over
HEADERS = 66  # bytes: Ethernet, IPv4, TCP with time stamps
WIRE, SHARE = 2048, 0.01
TOP = """
import time
from mpi4py import MPI

world = MPI.COMM_WORLD
communicators = [world.Dup() for _ in range({communicators})]
world.Barrier()
print("begun", flush=True)
until = time.time() + {seconds}
"""
REST = "time.sleep({seconds})\n"
LOOP = """
on = True
while on:
    for comm in communicators:
        comm.allreduce(1)
    time.sleep(0.001)
    on = world.bcast(time.time() < until, root=0)
"""
ROWS = {"at rest": (0, REST), "loop, 1 communicator": (1, LOOP), "loop, 500 communicators": (500, LOOP)}


@dataclass(frozen=True, slots=True)
class Sample:
    """Bytes on the wire, and processor seconds of each monitor."""

    sent: int
    came: int
    used: tuple[float, ...]


def used(process: int) -> float:
    """Processor seconds of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wire(host: Host, process: int) -> tuple[int, int]:
    """Bytes that the connections of a process have sent and received; headers included."""
    command = ["nsenter", "--target", str(host.process), "--net", "ss", "-tinpHO", "state", "established"]
    sent = came = 0
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        if f"pid={process}," in line:
            counts = {name: int(value) for name, value in re.findall(r"(bytes_\w+|segs_\w+):(\d+)", line)}
            sent += counts.get("bytes_sent", 0) + HEADERS * counts.get("segs_out", 0)
            came += counts.get("bytes_received", 0) + HEADERS * counts.get("segs_in", 0)
    return sent, came


def sample(leaf: Host, processes: Sequence[int]) -> Sample:
    """The counters now; the connection is that of the process which is on the leaf."""
    on_leaf = [
        one for one in processes if os.readlink(f"/proc/{one}/ns/net") == os.readlink(f"/proc/{leaf.process}/ns/net")
    ]
    sent, came = wire(leaf, on_leaf[0])
    return Sample(sent, came, tuple(used(one) for one in processes))


def main() -> int:
    """Print the table; 1 if gates are requested and one does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--gates", action="store_true", help="fail if a limit does not hold")
    arguments = parser.parse_args()
    if why := missing():
        raise SystemExit(f"error: no hosts can be made here: {why}")
    print(f"{'2 hosts with 2 ranks each':28} {'sent B/s':>9} {'received B/s':>13} {'% of a core, each monitor':>26}")
    failed = False
    with hosts(2, own_tmp=True) as (both, variables):
        for name, (communicators, body) in ROWS.items():
            seconds = BEGIN + arguments.seconds + 2
            program = (TOP + body).format(communicators=communicators, seconds=seconds)
            job: Job = start_on_two(environment_of("mpich"), (both[0], dict(variables)), program, 4)
            wait_for(lambda job=job: job.out.text.count("begun") == 4)  # type: ignore[misc]
            time.sleep(BEGIN)
            processes = monitors(job.mark)
            first, begun = sample(both[1], processes), time.monotonic()
            time.sleep(arguments.seconds)
            last, passed = sample(both[1], processes), time.monotonic() - begun
            result = job.finish(60)
            if result.status:
                raise SystemExit(f"error: {result}")
            sent, came = (last.sent - first.sent) / passed, (last.came - first.came) / passed
            shares = [(after - before) / passed for before, after in zip(first.used, last.used, strict=True)]
            good = sent + came <= WIRE and max(shares) <= SHARE
            failed |= not good
            percent = ", ".join(f"{100 * share:.2f}" for share in shares)
            print(f"{name:28} {sent:9.0f} {came:13.0f} {percent:>26}  {'pass' if good else 'FAIL'}", flush=True)
    return int(failed and arguments.gates)


if __name__ == "__main__":
    sys.exit(main())
