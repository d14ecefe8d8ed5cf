"""`strict` on two hosts, and collectives that do not block: none is completed before the hosts have been compared."""

from __future__ import annotations

import os
import signal
import time

import pytest
from sanitizer.environments import Environment
from sanitizer.harness import wait_for

from jaxmpi_lint.runtime.monitor.beginning import NO_LONGER

from .conftest import Hosts
from .jobs import run_on_two, start_on_two
from .test_failures import monitor_of

pytestmark = pytest.mark.runs_mpi

# The ranks of the second host differ from those of the first, so that no host finds it alone.
WRONG = """
import socket
import time
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
odd, types = socket.gethostname() == "host2", (MPI.DOUBLE, MPI.INT64_T)
data, space = np.full(8, 1.0 + comm.rank), np.zeros(8)
other = comm.Ibarrier()
request = {call}
{after}
print("completed", flush=True)
comm.Barrier()
"""
OPERATOR = "comm.Iallreduce(data[:4], space[:4], op=MPI.MAX if odd else MPI.SUM)"
CALLS = {
    "operator": ("JS104", OPERATOR),
    "count": ("JS105", "comm.Iallreduce(data[:4 - odd], space[:4 - odd])"),
    "type": ("JS106", "comm.Iallreduce([data, 4, types[odd]], [space, 4, types[odd]])"),
    "root": ("JS103", "comm.Ibcast(data if comm.rank in (0, 3) else space, root=3 if odd else 0)"),
    "part": ("JS110", "comm.Ialltoallv([data, [1] * comm.size], [space, [1 + odd] + [1] * (comm.size - 1)])"),
    "kind": ("JS101", "comm.Iallgather(data[:1], space[:comm.size]) if odd else comm.Ibarrier()"),
    "persistent": ("JS104", OPERATOR.replace("Iallreduce", "Allreduce_init") + "; request.Start()"),
}  # fmt: skip
WAYS = {
    "Wait": "request.Wait()",
    "Waitall": "MPI.Request.Waitall([request, other])",
    "Waitany": "while MPI.Request.Waitany(both := [other, request]) != 1: other = both[0]",
    "Waitsome": "while 1 not in MPI.Request.Waitsome(both := [other, request]): other = both[0]",
    "Test": "while not request.Test(): pass",
    "Get_status": "while not request.Get_status(): pass",
    "Testall": "while not MPI.Request.Testall([other, request]): pass",
    "Testany": "while MPI.Request.Testany(both := [other, request])[0] != 1: other = both[0]",
    "Testsome": "while 1 not in (MPI.Request.Testsome(both := [other, request]) or []): other = both[0]",
}
RIGHT = """
import sys
import time
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
size, rank, last = comm.size, comm.rank, comm.size - 1

# A pipeline, in which ranks are at different calls.
places = np.full((12, 1), 1.0 + rank)
sums = np.zeros((12, 1))
open_ = []
for turn in range(12):
    open_.append(comm.Iallreduce(places[turn], sums[turn]))
    if len(open_) > 1 + rank:
        open_.pop(0).Wait()
MPI.Request.Waitall(open_)
assert np.all(sums == size * (size + 1) / 2)

# A root tests its collective before it sends what makes others enter it.
text, found = np.zeros(1), np.zeros(1)
if rank == 0:
    request = comm.Ibcast(text)
    for _ in range(100):
        if request.Test():
            break
    comm.send("go", dest=last)
    request.Wait()
else:
    if rank == last:
        assert comm.recv(source=0) == "go"
    comm.Ibcast(text).Wait()

# A collective and a message are awaited together; the other rank enters the collective only after an answer.
for wait in (lambda all_: [MPI.Request.Waitany(all_)], MPI.Request.Waitsome):
    if rank == 0:
        both = [comm.Ibcast(text), comm.Irecv(found, source=last)]
        while any(one != MPI.REQUEST_NULL for one in both):
            if 1 in wait(both):
                comm.send("answer", dest=last)
    else:
        if rank == last:
            comm.Send(found, dest=0)
            assert comm.recv(source=0) == "answer"
        comm.Ibcast(text).Wait()

# Consensus: ranks poll for messages and for the end.
outgoing = comm.issend(rank, dest=(rank + 1) % size)
barrier, took = None, 0
while barrier is None or not barrier.Test():
    if comm.iprobe(source=MPI.ANY_SOURCE):
        took += comm.recv(source=MPI.ANY_SOURCE) == (rank - 1) % size
    if barrier is None and outgoing.Test():
        barrier = comm.Ibarrier()
assert took == 1

# Polling for one, some and all of them, some inactive.
for test in (MPI.Request.Testany, MPI.Request.Testsome, MPI.Request.Testall):
    pending = [comm.Iallreduce(places[0], sums[0]), MPI.REQUEST_NULL, comm.Ibarrier()]
    until = time.time() + 30
    while any(one != MPI.REQUEST_NULL for one in pending):
        test(pending)
        assert time.time() < until
assert MPI.Request.Testany([MPI.REQUEST_NULL] * 2) == (MPI.UNDEFINED, True)
assert MPI.Request.Waitany([MPI.REQUEST_NULL] * 2) == MPI.UNDEFINED
assert MPI.Request.Waitsome([MPI.REQUEST_NULL] * 2) is None

# Freed while a collective is not complete, on some ranks before it is completed. (Open MPI then ends with SIGSEGV.)
for early in (True, False) if MPI.Get_library_version().startswith("MPICH") else ():
    part = comm.Dup()
    request = part.Iallreduce(places[0], sums[1])
    if early == rank % 2:
        part.Free()
    request.Wait()
    if early != rank % 2:
        part.Free()

# Persistent ones, and a communicator that is created without blocking.
persistent = [comm.Allreduce_init(places[0], sums[2]), comm.Barrier_init()]
for turn in range(3):
    for one in persistent:
        one.Start()
    MPI.Request.Waitall(persistent) if turn % 2 else [one.Wait() for one in persistent]
for one in persistent:
    one.Free()
made, request = comm.Idup()
request.Wait()
made.Ibarrier().Wait()
made.Free()
sys.stdout.write(f"result {sums[0][0]} {sums[1][0]} {sums[2][0]}\\n")
"""
LATER = """
import time
from mpi4py import MPI

comm = MPI.COMM_WORLD
comm.Barrier()
print("begun", flush=True)
begun = time.time()
while True:
    comm.Ibarrier().Wait()
    request = comm.Ibarrier()
    while not request.Test():
        pass
    both = [comm.Ibarrier(), comm.Ibarrier()]
    MPI.Request.Waitany(both)
    MPI.Request.Waitall(both)
    if comm.bcast(time.time(), root=0) > begun + 8:
        break
print("ended", flush=True)
"""


def wrong(call: str, after: str) -> str:
    return WRONG.format(call=call, after=after)


@pytest.mark.parametrize("name", CALLS)
def test_wrong_collective_is_not_completed(mpi: Environment, two_for_all: Hosts, name: str) -> None:
    code, call = CALLS[name]
    result = run_on_two(mpi, two_for_all, wrong(call, WAYS["Wait"]), 4, sanitize="strict")
    assert (result.status, result.codes) == (66, {code}), str(result)
    assert "completed" not in result.out, str(result)


@pytest.mark.parametrize("way", WAYS)
def test_however_it_is_completed(mpi: Environment, two_for_all: Hosts, way: str) -> None:
    result = run_on_two(mpi, two_for_all, wrong(OPERATOR, WAYS[way]), 4, in_turn=True, sanitize="strict")
    assert (result.status, result.codes) == (66, {"JS104"}), str(result)
    assert "completed" not in result.out, str(result)


def test_without_strict_it_is_completed(mpi: Environment, two_for_all: Hosts) -> None:
    """What the tests above would see."""
    result = run_on_two(mpi, two_for_all, wrong(OPERATOR, WAYS["Wait"]), 4)
    assert (result.status, result.codes) == (66, {"JS104"}), str(result)
    assert "completed" in result.out, str(result)


def test_wrong_collective_of_ranks_that_are_ahead(mpi: Environment, two_for_all: Hosts) -> None:
    """They have entered 42 collectives when the second one, the wrong one, is compared."""
    program = wrong(OPERATOR, "more = [comm.Ibarrier() for _ in range(40 * odd)]\nrequest.Wait()")
    result = run_on_two(mpi, two_for_all, program, 4, sanitize="strict")
    assert (result.status, result.codes) == (66, {"JS104"}), str(result)
    assert "completed" not in result.out, str(result)


@pytest.mark.parametrize("in_turn", [False, True], ids=["blocks", "turns"])
def test_right_program_is_silent(mpi: Environment, two_for_all: Hosts, in_turn: bool) -> None:
    off = run_on_two(mpi, two_for_all, RIGHT, 4, in_turn=in_turn, sanitize="0", seconds=60)
    on = run_on_two(mpi, two_for_all, RIGHT, 4, in_turn=in_turn, sanitize="strict", seconds=60)
    assert (on.status, on.findings) == (off.status, ()) == (0, ()), f"{off}\n{on}"
    assert sorted(on.out.splitlines()) == sorted(off.out.splitlines())
    assert "on 2 hosts (host1, host2)" in on.err
    assert NO_LONGER not in on.err


# --- a tree of five hosts: behind the root, host2 leads host3, and host4 leads host5 ----------------------------------


@pytest.mark.parametrize("host", ["host3", "host5"])
@pytest.mark.parametrize("call", ["blocking", "not blocking"])
def test_wrong_collective_on_a_host_that_is_led(mpi: Environment, five: Hosts, host: str, call: str) -> None:
    operation = OPERATOR if call == "not blocking" else OPERATOR.replace("Iallreduce", "Allreduce")
    program = wrong(operation, WAYS["Test"] if call == "not blocking" else "").replace("host2", host)
    result = run_on_two(mpi, five, program, 10, options={"fan_out": 2}, sanitize="strict", number=5, seconds=60)
    assert "checking 10 ranks" in result.err, str(result)
    assert (result.status, result.codes) == (66, {"JS104"}), str(result)
    assert "completed" not in result.out, str(result)


def test_right_program_on_a_tree_is_silent(mpi: Environment, five: Hosts) -> None:
    result = run_on_two(mpi, five, RIGHT, 10, options={"fan_out": 2}, sanitize="strict", number=5, seconds=90)
    assert (result.status, result.findings) == (0, ()), str(result)
    assert "checking 10 ranks" in result.err, str(result)
    assert NO_LONGER not in result.err, str(result)


def test_no_rank_waits_for_a_leader_that_is_killed(mpi: Environment, five: Hosts) -> None:
    options = {"fan_out": 2, "stall_seconds": 100}
    job = start_on_two(mpi, five, LATER, 10, options=options, sanitize="strict", number=5)
    wait_for(lambda: job.out.text.count("begun") == 10 and "checking 10 ranks" in job.err.text, 90)
    time.sleep(1)
    os.kill(monitor_of(job, "host2"), signal.SIGKILL)
    result = job.finish(100, patience=8)
    assert (result.status, result.errors) == (0, ()), str(result)
    assert result.out.count("ended") == 10
    assert result.err.count(NO_LONGER) == 1, str(result)


@pytest.mark.parametrize("host", ["host1", "host2"])
def test_no_rank_waits_for_a_monitor_that_is_killed(mpi: Environment, two_for_all: Hosts, host: str) -> None:
    job = start_on_two(mpi, two_for_all, LATER, 4, options={"stall_seconds": 100}, sanitize="strict")
    wait_for(lambda: job.out.text.count("begun") == 4 and "checking 4 ranks" in job.err.text, 90)
    time.sleep(1)
    os.kill(monitor_of(job, host), signal.SIGKILL)
    result = job.finish(100, patience=8)
    assert (result.status, result.errors) == (0, ()), str(result)
    assert result.out.count("ended") == 4
    assert result.err.count(NO_LONGER) == 1, str(result)
