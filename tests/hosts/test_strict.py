"""`strict` on two hosts: a wrong collective is stopped before it changes anything, and nobody waits for a lost host."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from sanitizer.cases import Clean
from sanitizer.environments import LIBRARIES, Environment, environment_of
from sanitizer.harness import Job, Result, wait_for
from sanitizer.test_matrix import CLEAN

from jaxmpi_lint.runtime.monitor.beginning import NO_LONGER

from .conftest import Hosts
from .hosts import Host, plug, pull
from .jobs import run_on_two, start_on_two
from .test_failures import monitor_of

pytestmark = pytest.mark.runs_mpi

# The ranks of the second host differ from those of the first, so that no host finds it alone. The memory that a
# collective changes is a file, which is looked at after the job.
WRONG = """
import socket
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
odd, types = socket.gethostname() == "host2", (MPI.DOUBLE, MPI.INT64_T)
space = np.memmap(f"{folder}/{{comm.rank}}", dtype="f8", mode="w+", shape=8)
space[:] = -1
data = np.full(8, 1.0 + comm.rank)
comm.Barrier()
for _ in range(3):
    assert comm.allreduce(1) == comm.size
{call}
comm.Barrier()
"""
CALLS = {
    "operator": ("JS104", "comm.Allreduce(data[:4], space[:4], op=MPI.MAX if odd else MPI.SUM)"),
    "count": ("JS105", "comm.Allreduce(data[:4 - odd], space[:4 - odd])"),
    "type": ("JS106", "comm.Allreduce([data, 4, types[odd]], [space, 4, types[odd]])"),
    "root": ("JS103", "comm.Bcast(data if comm.rank in (0, 3) else space, root=3 if odd else 0)"),
    "part": ("JS110", "comm.Alltoallv([data, [1] * comm.size], [space, [1 + odd] + [1] * (comm.size - 1)])"),
    "kind": ("JS101", "comm.Allgather(data[:1], space[:comm.size]) if odd else comm.Allreduce(data[:4], space[:4])"),
}  # fmt: skip
RIGHT = """
import sys
import socket
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
size, rank, second = comm.size, comm.rank, socket.gethostname() == "host2"
one, all_ = np.full(1, 1.0 + rank), np.zeros(size)
pending = [comm.Iallreduce(one, np.empty(1)), comm.Ibarrier()]
persistent = comm.Bcast_init(np.zeros(2), root=size - 1)
for turn in range(5):
    comm.Allgather(one, all_)
    assert list(all_) == [1.0 + place for place in range(size)]
    assert comm.allreduce(rank, op=MPI.MAX) == size - 1
    assert comm.bcast({"turn": turn} if rank == turn % size else None, root=turn % size) == {"turn": turn}
    comm.Alltoallv([np.full(size, 1.0 * rank), [1] * size], [all_, [1] * size])
    comm.Bcast([np.zeros(8, "i1"), MPI.BYTE] if second else [np.zeros(1), MPI.DOUBLE], root=0)
    part = comm.Split(rank % 2, rank)
    for _ in range(rank % 2 + 1):
        part.Barrier()
    part.Free()
    persistent.Start()
    persistent.Wait()
    if rank == 0:
        comm.send(turn, dest=size - 1)
    elif rank == size - 1:
        assert comm.recv(source=0) == turn
MPI.Request.Waitall(pending)
half = comm.Split(rank // (size // 2), rank)
between = half.Create_intercomm(0, comm, size // 2 if rank < size // 2 else 0)
assert between.allgather(rank) == [place for place in range(size) if place // (size // 2) != rank // (size // 2)]
between.Barrier()
window = MPI.Win.Allocate(8, comm=comm)
window.Fence()
window.Fence()
window.Free()
between.Free()
half.Free()
persistent.Free()
sys.stdout.write(f"result {all_[0]}\\n")
"""
LATER = """
import time
from mpi4py import MPI

comm = MPI.COMM_WORLD
comm.Barrier()
print("begun", flush=True)
begun = time.time()
while comm.bcast(time.time() - begun, root=0) < {seconds}:
    assert comm.allreduce(1) == comm.size
print("ended", flush=True)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that all hosts see."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        yield Path(name)


def changed(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if np.any(np.fromfile(path, "f8") != -1))


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("in_turn", [False, True], ids=["blocks", "turns"])
def test_wrong_collective_is_stopped_before_it_changes_anything(
    mpi: Environment, two_for_all: Hosts, folder: Path, name: str, in_turn: bool
) -> None:
    code, call = CALLS[name]
    program = WRONG.format(folder=folder, call=call)
    result = run_on_two(mpi, two_for_all, program, 4, in_turn=in_turn, sanitize="strict")
    assert (result.status, result.codes) == (66, {code}), str(result)
    assert len(list(folder.iterdir())) == 4
    assert changed(folder) == [], str(result)


def test_without_strict_the_wrong_operator_changes_memory(mpi: Environment, two_for_all: Hosts, folder: Path) -> None:
    """What the test above would see."""
    program = WRONG.format(folder=folder, call=CALLS["operator"][1])
    result = run_on_two(mpi, two_for_all, program, 4)
    assert (result.status, result.codes) == (66, {"JS104"}), str(result)
    assert changed(folder) != []


def test_right_program_is_silent(mpi: Environment, two_for_all: Hosts) -> None:
    off = run_on_two(mpi, two_for_all, RIGHT, 4, sanitize="0", seconds=60)
    on = run_on_two(mpi, two_for_all, RIGHT, 4, sanitize="strict", seconds=60)
    assert (on.status, on.findings) == (off.status, ()) == (0, ()), str(on)
    assert sorted(on.out.splitlines()) == sorted(off.out.splitlines())
    assert "on 2 hosts (host1, host2)" in on.err
    assert NO_LONGER not in on.err


def test_after_an_error_the_others_go_on(mpi: Environment, two_for_all: Hosts, folder: Path) -> None:
    """With `on_error=continue`, ranks do not wait for an agreement that there will not be."""
    program = WRONG.format(folder=folder, call=CALLS["operator"][1])
    result = run_on_two(mpi, two_for_all, program, 4, sanitize="strict", options={"on_error": "continue"})
    assert (result.status, result.codes) == (0, {"JS104"}), str(result)


# A collective that waits for all ranks is a deadlock in these, on one host as well.
PORTABLE = [case for case in CLEAN if not case.name.startswith("possible edges")]


@pytest.mark.soak
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("case", PORTABLE, ids=[case.name.replace(" ", "_") for case in PORTABLE])
def test_right_programs_are_silent(case: Clean, library: str, two_for_all: Hosts) -> None:
    mpi, ranks, seconds = environment_of(library), max(case.ranks), case.seconds + 60
    one = run_on_two(mpi, two_for_all, case.text, ranks, options=case.options, seconds=seconds)
    strict = run_on_two(mpi, two_for_all, case.text, ranks, sanitize="strict", options=case.options, seconds=seconds)
    assert (strict.outcome, strict.codes) == (one.outcome, one.codes), f"{one}\n{strict}"


# --- hosts that are lost -------------------------------------------------------------------------------------------

Links = tuple[list[Host], dict[str, str]]


def link_pulled(job: Job, hosts: list[Host]) -> Result:
    pull(hosts[1].links[1])
    try:
        return job.finish(100, patience=8)
    finally:
        plug(hosts[1].links[1])


def killed(host: str) -> Callable[[Job, list[Host]], Result]:
    def do(job: Job, _: list[Host]) -> Result:
        os.kill(monitor_of(job, host), signal.SIGKILL)
        return job.finish(100, patience=8)

    return do


def stopped(host: str) -> Callable[[Job, list[Host]], Result]:
    """The ranks end meanwhile; the launcher waits for the monitor, which has its standard error."""

    def do(job: Job, _: list[Host]) -> Result:
        monitor = monitor_of(job, host)
        os.kill(monitor, signal.SIGSTOP)
        try:
            wait_for(lambda: job.out.text.count("ended") == 4, 60)
        finally:
            with suppress(ProcessLookupError):
                os.kill(monitor, signal.SIGCONT)
        return job.finish(60, patience=8)

    return do


@pytest.mark.parametrize(
    ("happens", "longer"),
    [
        pytest.param(link_pulled, 30, id="link pulled"),
        pytest.param(killed("host2"), 30, id="leaf killed"),
        pytest.param(killed("host1"), 30, id="root killed"),
        pytest.param(stopped("host2"), 50, id="leaf stopped"),
        pytest.param(stopped("host1"), 50, id="root stopped"),
    ],
)
def test_nobody_waits_for_a_lost_host(
    mpi: Environment, two_with_links: Links, happens: Callable[[Job, list[Host]], Result], longer: int
) -> None:
    """The job takes at most so many seconds longer."""
    hosts, variables = two_with_links
    seconds = 10
    options = {"interface": "eth1", "attach_seconds": 60, "stall_seconds": 100}
    program = LATER.format(seconds=seconds)
    job = start_on_two(mpi, (hosts[0], variables), program, 4, options=options, sanitize="strict")
    wait_for(lambda: job.out.text.count("begun") == 4 and "checking 4 ranks" in job.err.text, 90)
    time.sleep(1)
    result = happens(job, hosts)
    assert (result.status, result.errors) == (0, ()), str(result)
    assert result.out.count("ended") == 4
    assert result.err.count(NO_LONGER) == 1, str(result)
    assert result.seconds < seconds + longer, str(result)
