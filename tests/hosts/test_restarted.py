"""A monitor that is killed and started again: the hosts are compared as before."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sanitizer.environments import Environment
from sanitizer.harness import Job, Result, wait_for

from .hosts import Host
from .jobs import start_on_two
from .test_failures import monitor_of

pytestmark = pytest.mark.runs_mpi

Links = tuple[list[Host], dict[str, str]]
PROGRAM = """
import os
import socket
import time
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
comm.Barrier()
print("begun", flush=True)
while not comm.bcast(os.path.exists("{folder}/go"), root=0):
    time.sleep(0.05)
odd = socket.gethostname() == "host2" and {wrong}
comm.Allreduce(np.ones(4), np.empty(4), op=MPI.MAX if odd else MPI.SUM)
for _ in range(40):
    time.sleep(0.1)
    comm.Barrier()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that all hosts see."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        yield Path(name)


def start_again(job: Job, host: Host) -> subprocess.Popen[bytes]:
    """Kill the monitor of a host, and start it there with the same output."""
    process = monitor_of(job, host.name)
    command = words(process, "cmdline")
    ledger = next(word for word in command if word.startswith("/dev/shm/"))
    environment = dict(one.split("=", 1) for one in words(process, "environ"))
    output = os.open(f"/proc/{process}/fd/2", os.O_WRONLY)
    os.kill(process, signal.SIGKILL)
    time.sleep(0.5)
    try:
        return subprocess.Popen(
            [*host.entering, command[0], "-m", "jaxmpi_lint.runtime.monitor", ledger],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=output,
        )  # fmt: skip
    finally:
        os.close(output)


def words(process: int, name: str) -> list[str]:
    return Path(f"/proc/{process}/{name}").read_bytes().decode().rstrip("\0").split("\0")


def disturbed(mpi: Environment, links: Links, folder: Path, at: int, wrong: bool, sanitize: str) -> Result:
    hosts, variables = links
    program = PROGRAM.format(folder=folder, wrong=wrong)
    job = start_on_two(mpi, (hosts[0], variables), program, 4, sanitize=sanitize)
    wait_for(lambda: job.out.text.count("begun") == 4 and "checking 4 ranks" in job.err.text, 60)
    time.sleep(random.uniform(0, 2))
    again = start_again(job, hosts[at])
    try:
        time.sleep(3)
        (folder / "go").touch()
        return job.finish(60, patience=8)
    finally:
        again.wait(20)


@pytest.mark.parametrize("sanitize", ["1", "strict"])
@pytest.mark.parametrize("at", [0, 1], ids=["root", "leaf"])
def test_fault_is_found_after_a_restart(
    mpi: Environment, two_with_links: Links, folder: Path, at: int, sanitize: str
) -> None:
    result = disturbed(mpi, two_with_links, folder, at, wrong=True, sanitize=sanitize)
    assert (result.status, result.codes) == (66, {"JS104"}), str(result)
    assert "ranks 0 and 1 reduce with SUM; ranks 2 and 3 reduce with MAX" in result.err, str(result)


@pytest.mark.parametrize("at", [0, 1], ids=["root", "leaf"])
def test_right_program_is_silent_after_a_restart(
    mpi: Environment, two_with_links: Links, folder: Path, at: int
) -> None:
    result = disturbed(mpi, two_with_links, folder, at, wrong=False, sanitize="1")
    assert (result.status, result.errors, result.left_processes) == (0, (), ()), str(result)
    assert "of 4 ranks checked: no findings" in result.err, str(result)
