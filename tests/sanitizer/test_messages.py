"""What messages carry, and what their statuses say, is the same with the sanitizer and without it."""

from __future__ import annotations

import pytest

from .environments import Environment
from .harness import run

pytestmark = pytest.mark.runs_mpi

PROGRAM = """
import sys
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
right, left = (rank + 1) % size, (rank - 1) % size
lines = []


def note(what, status, *values):
    seen = (status.source, status.tag, status.error, status.Get_count(MPI.DOUBLE), status.Is_cancelled())
    lines.append(f"{rank} {what} {seen} {[np.asarray(value).tolist() for value in values]}")


def fresh():
    return np.full(6, -1.0)


mine, status = np.arange(4.0) + 10 * rank, MPI.Status()
for source, tag in ((left, 3), (MPI.ANY_SOURCE, 3), (left, MPI.ANY_TAG), (MPI.ANY_SOURCE, MPI.ANY_TAG)):
    for given in (status, None):
        space = fresh()
        request = comm.Isend(mine, right, tag=3)
        comm.Recv(space, source, tag, given)
        request.Wait()
        note("recv", status, space)
        space = fresh()
        comm.Sendrecv(mine, right, 3, space, source, tag, given)
        note("sendrecv", status, space)
        space = mine.copy()
        comm.Sendrecv_replace(space, right, 3, source, tag, given)
        note("replace", status, space)
        space, sent = fresh(), comm.Isend(mine, right, tag=3)
        request = comm.Irecv(space, source, tag)
        request.Wait(given)
        sent.Wait()
        note("irecv", status, space)
        comm.Barrier()
        sent = comm.Isend(mine, right, tag=3)
        comm.Probe(source, tag, given)
        note("probe", status)
        message = comm.Mprobe(source, tag, given)
        space = fresh()
        message.Recv(space, given)
        sent.Wait()
        note("mrecv", status, space)
        comm.Barrier()

spaces = [fresh() for _ in range(3)]
for complete in ("Waitall", "Testall", "Waitsome", "Testsome"):
    for wanted in (True, False):
        receives = [comm.Irecv(space, MPI.ANY_SOURCE, 10 + i) for i, space in enumerate(spaces)]
        requests = receives + [comm.Isend(mine[: i + 1], right, tag=10 + i) for i in range(3)]
        requests.append(MPI.REQUEST_NULL)
        statuses = [MPI.Status() for _ in requests] if wanted else None
        done = False
        while not done:
            if complete.endswith("all"):
                done = getattr(MPI.Request, complete)(requests, statuses)
            else:
                getattr(MPI.Request, complete)(requests, statuses)
                done = all(request == MPI.REQUEST_NULL for request in requests)
        if complete.endswith("all") and wanted:
            for one in statuses[:3]:
                note(complete, one)
        note(complete, status, *spaces)
        comm.Barrier()

channel = [comm.Send_init(mine, right, tag=5), comm.Recv_init(spaces[0], left, tag=5)]
for _ in range(3):
    MPI.Prequest.Startall(channel)
    MPI.Request.Waitall(channel)
    note("persistent", status, spaces[0])
for one in channel:
    one.Free()

for function in (comm.Send, comm.Ssend):
    function(mine, MPI.PROC_NULL)
comm.Recv(spaces[0], MPI.PROC_NULL, status=status)
note("nobody", status, spaces[0])
request = comm.Irecv(spaces[0], left, tag=99)
request.Cancel()
request.Wait(status)
lines.append(f"{rank} cancelled {status.Is_cancelled()}")
try:
    comm.Send(mine, size + 5)
except MPI.Exception as error:
    lines.append(f"{rank} refused {error.Get_error_class() == MPI.ERR_RANK}")
lines.append(f"{rank} pickled {comm.sendrecv({'from': rank}, right, 1, None, MPI.ANY_SOURCE, 1)}")
request = comm.irecv(source=left, tag=2)
comm.send(list(range(rank)), right, tag=2)
lines.append(f"{rank} object {request.wait()}")
for turn in range(size):
    comm.Barrier()
    if turn == rank:
        print("\\n".join(lines), flush=True)
"""


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_statuses_and_values_stay_the_same(mpi: Environment, ranks: int) -> None:
    without = run(mpi, PROGRAM, ranks, sanitize="")
    checked = run(mpi, PROGRAM, ranks)
    assert without.status == 0, str(without)
    assert (checked.status, checked.findings) == (0, ()), str(checked)
    assert sorted(checked.out.splitlines()) == sorted(without.out.splitlines())
    assert len(without.out.splitlines()) > 50 * ranks
