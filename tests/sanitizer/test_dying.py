"""Ranks that die: who is named, and who is not."""

from __future__ import annotations

import os
import signal
import time

import pytest

from .cases import program
from .environments import Environment
from .expectations import complaints_about_leaving
from .harness import begun, monitors, run, start, wait_for

pytestmark = pytest.mark.runs_mpi

WAITING = program("""
    comm.Barrier()
    if rank == 1:
        print("begun", flush=True)
        time.sleep(60)
    comm.Barrier()
    """)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=lambda how: how.name)
def test_job_ended_from_outside_is_nobodys_fault(mpi: Environment, how: signal.Signals) -> None:
    job = start(mpi, WAITING, 3)
    begun(job)
    wait_for(lambda: monitors(job.mark))
    time.sleep(0.5)
    job.process.send_signal(how)
    result = job.finish(20, patience=5)
    assert not result.findings, str(result)
    if how == signal.SIGKILL and mpi.library == "openmpi":
        return  # its ranks live on alone
    assert not complaints_about_leaving(result), str(result)
    assert any("Where all ranks were" in line for line in result.said), str(result)


def test_ranks_killed_at_once_are_nobodys_fault(mpi: Environment) -> None:
    job = start(mpi, WAITING, 3)
    begun(job)
    wait_for(lambda: monitors(job.mark))
    time.sleep(0.5)
    for pid in job.ranks("program.py"):
        os.kill(pid, signal.SIGKILL)
    result = job.finish(20, patience=5)
    assert not result.errors, str(result)


DEATHS = {
    "os.kill(os.getpid(), signal.SIGSEGV)": "was killed by SIGSEGV",
    "os.kill(os.getpid(), signal.SIGABRT)": "was killed by SIGABRT",
    "os._exit(3)": "exited with status 3",
}


@pytest.mark.parametrize("moment", ["in a collective", "later", "at once"])
@pytest.mark.parametrize("how", DEATHS)
def test_rank_that_dies_is_named_with_how_it_ended(mpi: Environment, how: str, moment: str) -> None:
    before = "" if moment == "at once" else "time.sleep(0.5)"
    text = program(f"""
        comm.Barrier()
        if rank == 1:
            {before}
            {how}
        {"time.sleep(5)" if moment == "later" else ""}
        comm.Barrier()
        """)
    result = run(mpi, text, 3)
    # If it was over before the monitor had begun, an exit may as well have been that of a handler.
    (found,) = result.findings if moment == "at once" else result.errors
    assert found.code == "JS108", str(result)
    assert f"rank 1 ended ({DEATHS[how]}" in found.message, str(result)
    assert {place.rank for place in found.places} == {0, 1, 2}, str(result)
    assert result.status != 0
    assert not complaints_about_leaving(result), str(result)
