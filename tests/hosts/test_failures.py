"""Monitors that die or stand still: the job goes on as it would without them, and one line says what is not seen."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sanitizer.environments import Environment
from sanitizer.harness import Job, Result, monitors, processes_of, wait_for

from .conftest import Hosts
from .jobs import start_on_two

pytestmark = [pytest.mark.runs_mpi, pytest.mark.soak]

PROGRAM = """
import time
from mpi4py import MPI

world = MPI.COMM_WORLD
world.Barrier()
print("begun", flush=True)
until = world.bcast(time.time() + 18, root=0)
while world.bcast(time.time(), root=0) < until:
    time.sleep(0.05)
    assert world.allreduce(1) == world.size
other = (world.rank + 2) % world.size
before = (world.rank - 2) % world.size
assert world.sendrecv(world.rank, dest=other, source=before) == before
"""
ROOT_LOST = "from now on only the ranks of host2 are compared with each other: the monitor of the first host"


def monitor_of(job: Job, host: str) -> int:
    """The monitor that runs on a host, by the host's name in its namespace."""
    (found,) = (pid for pid in monitors(job.mark) if _uts(pid) == _uts(_rank_on(job, host)))
    return found


def _uts(pid: int) -> str:
    return os.readlink(f"/proc/{pid}/ns/uts")


def _rank_on(job: Job, host: str) -> int:
    """A process of the job whose host it is: ranks 0 and 1 are on host1, the next two on host2."""
    wanted = str(2 * (int(host.removeprefix("host")) - 1))
    for pid in processes_of(job.mark):
        variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        if {f"PMI_RANK={wanted}".encode(), f"OMPI_COMM_WORLD_RANK={wanted}".encode()} & set(variables):
            return pid
    raise LookupError(host)


def disturbed(mpi: Environment, hosts: Hosts, disturb: Callable[[Job], None], number: int = 2) -> Result:
    """A correct job, on so many hosts, during which something happens to a monitor."""
    ranks = 2 * number
    job = start_on_two(mpi, hosts, PROGRAM, ranks, options={"fan_out": 2}, number=number)
    wait_for(lambda: job.out.text.count("begun") == ranks and f"checking {ranks} ranks" in job.err.text)
    time.sleep(1)
    disturb(job)
    return job.finish(60)


def stop(pid: int, seconds: float) -> None:
    os.kill(pid, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(pid, signal.SIGCONT)


def complaints(result: Result) -> list[str]:
    found = [str(one.raw) for one in result.findings]
    if (result.status, result.hung) != (0, False):
        found.append(f"exit {result.status}")
    return found + list(result.left_processes)


def test_killed_leaf(mpi: Environment, two_for_all: Hosts) -> None:
    result = disturbed(mpi, two_for_all, lambda job: os.kill(monitor_of(job, "host2"), signal.SIGKILL))
    assert not complaints(result), str(result)
    (line,) = (line for line in result.said if "has not responded" in line)
    assert ": ranks 2 and 3 are not compared with the others meanwhile" in line


def test_killed_root(mpi: Environment, two_for_all: Hosts) -> None:
    result = disturbed(mpi, two_for_all, lambda job: os.kill(monitor_of(job, "host1"), signal.SIGKILL))
    assert not complaints(result), str(result)
    assert [ROOT_LOST in line for line in result.said] == [False, True, False], str(result)


def test_leaf_that_stands_still(mpi: Environment, two_for_all: Hosts) -> None:
    result = disturbed(mpi, two_for_all, lambda job: stop(monitor_of(job, "host2"), 12))
    assert not complaints(result), str(result)
    said = [line.partition(": ")[2] for line in result.said]
    assert [line[:24] for line in said[1:3]] == ["host2 has not responded ", "host2 responds again: it"], str(result)
    assert "of 4 ranks checked: no findings" in said[-1], str(result)


def test_root_that_stands_still(mpi: Environment, two_for_all: Hosts) -> None:
    result = disturbed(mpi, two_for_all, lambda job: stop(monitor_of(job, "host1"), 12))
    assert not complaints(result), str(result)
    assert sum(ROOT_LOST in line for line in result.said) == 1, str(result)


def test_killed_leader(mpi: Environment, five: Hosts) -> None:
    """Of the hosts behind the root, host2 leads host3, and host4 leads host5."""
    result = disturbed(mpi, five, lambda job: os.kill(monitor_of(job, "host2"), signal.SIGKILL), number=5)
    assert not complaints(result), str(result)
    said = "\n".join(result.said)
    assert "host2 has not responded" in said
    assert "ranks 2-5 are not compared with the others meanwhile" in said, str(result)
    alone = "from now on only the ranks of host3 are compared with each other: the monitor of the host that leads this"
    assert alone in said, str(result)
    assert "host5 are compared" not in said, str(result)
