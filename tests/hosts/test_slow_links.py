"""Correct jobs over a slow link that loses packets, and with ranks that are late at random: nothing is reported.

The kernel of a test machine may have no `netem`. A queue that is much too short for the rate of the link (`tbf`) loses
packets, too: those of MPI and those of the sanitizer, which share it.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sanitizer.environments import Environment
from sanitizer.harness import Result

from .conftest import Hosts
from .hosts import Host
from .jobs import start_on_two
from .test_failures import complaints

pytestmark = pytest.mark.runs_mpi

RATE = "16mbit"  # 2 MB/s
LIMITS = ("burst", "16kb", "limit", "24kb")
MESSAGES = """
import random
import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
print("begun", flush=True)
size, noise = {size}, random.Random(5)
partner = (world.rank + world.size // 2) % world.size
sent, turn = 0, 0
while sent < size:
    length = noise.choice([1, 1000, 100_000, 1_000_000])
    data = numpy.full(length, turn % 251, dtype="u1")
    if world.rank < world.size // 2:
        world.Send(data, dest=partner, tag=turn % 7)
    else:
        got = numpy.empty(length, dtype="u1")
        world.Recv(got, source=partner, tag=turn % 7)
        assert (got == data).all()
    sent, turn = sent + length * (world.size // 2), turn + 1
    if turn % 50 == 0:
        assert world.allreduce(1) == world.size
"""
COLLECTIVES = """
import random, time
from mpi4py import MPI

world = MPI.COMM_WORLD
print("begun", flush=True)
common, own = random.Random(5), random.Random(world.rank)
pair = world.Split(world.rank % 2)
for turn in range({count}):
    comm = pair if common.random() < 0.3 else world
    kind = common.randrange(4)
    if kind == 0:
        assert comm.allreduce(1) == comm.size
    elif kind == 1:
        assert comm.bcast(turn, root=turn % comm.size) == turn
    elif kind == 2:
        comm.Barrier()
    else:
        comm.reduce(1, root=turn % comm.size)
    if own.random() < 0.001:
        time.sleep(own.choice([0.001, 0.01, 0.1, 0.5]))
"""


@contextmanager
def slow(host: Host) -> Iterator[list[int]]:
    """Limit the link of a host in both directions; afterwards the number of packets that it has lost."""
    inside = [*host.entering, "tc"]
    both = ((["tc"], host.links[0]), (inside, "eth0"))
    lost: list[int] = []
    for command, device in both:
        add = [*command, "qdisc", "add", "dev", device, "root", "tbf", "rate", RATE, *LIMITS]
        done = subprocess.run(add, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no rate of a link can be limited here: {done.stderr.strip()}")
    try:
        yield lost
    finally:
        for command, device in both:
            shown = subprocess.run(
                [*command, "-s", "qdisc", "show", "dev", device], capture_output=True, text=True, check=False
            )
            lost += map(int, re.findall(r"dropped (\d+)", shown.stdout))
            subprocess.run([*command, "qdisc", "del", "dev", device, "root"], check=False)


def job(mpi: Environment, hosts: Hosts, program: str, seconds: float) -> Result:
    return start_on_two(mpi, hosts, program, 4, options={"stall_seconds": 60}).finish(seconds, patience=8)


@pytest.mark.parametrize("megabytes", [10, pytest.param(100, marks=pytest.mark.soak)])
def test_messages_over_a_slow_link(mpi: Environment, two_for_all: Hosts, megabytes: int) -> None:
    with slow(two_for_all[0]) as lost:
        result = job(mpi, two_for_all, MESSAGES.format(size=megabytes * 1_000_000), 60 + 4 * megabytes)
    assert not complaints(result), str(result)
    assert "of 4 ranks checked: no findings" in result.said[-1], str(result)
    assert len(result.said) == 2, str(result)
    assert sum(lost) > megabytes, f"{lost} packets lost, {result.seconds:.0f} s"
    assert result.seconds > megabytes / 2


@pytest.mark.parametrize("count", [2000, pytest.param(100_000, marks=pytest.mark.soak)])
def test_collectives_with_random_delays(mpi: Environment, two_for_all: Hosts, count: int) -> None:
    result = job(mpi, two_for_all, COLLECTIVES.format(count=count), 60 + count / 100)
    assert not complaints(result), str(result)
    assert "of 4 ranks checked: no findings" in result.said[-1], str(result)
    assert len(result.said) == 2, str(result)
