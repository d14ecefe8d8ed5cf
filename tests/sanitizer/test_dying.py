"""Ranks that die: who is named, and who is not."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from .cases import program
from .environments import Environment
from .expectations import complaints_about_leaving
from .harness import begun, monitors, run, start, wait_for
from .test_report_jobs import line_of

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


STORED = program("""
    def step():
        while True:
            time.sleep(0.01)

    comm.Barrier()
    if rank == 1:
        print("begun", flush=True)
        step()
    comm.Barrier()  # waits
    """)
WAITED = 2.0  # seconds: far more than between the last event of the ledger and the end of the ranks


def reported(mpi: Environment, *words: str) -> str:
    """What `jaxmpi-sanitize report` prints."""
    tool = [str(mpi.script("jaxmpi-sanitize")), "report", *words]
    done = subprocess.run(tool, capture_output=True, text=True, env=mpi.variables(), timeout=60, check=False)
    return done.stdout


def since(text: str, of: str) -> float:
    """The seconds that a line states of these ranks."""
    found = re.search(rf"{of}  in Barrier\(\) for ([\d.]+) s", text)
    assert found, text
    return float(found[1])


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=lambda how: how.name)
def test_job_ended_from_outside_is_stored(mpi: Environment, how: signal.Signals, tmp_path: Path) -> None:
    job = start(mpi, STORED, 3, options={"log_dir": tmp_path / "kept"})
    begun(job)
    wait_for(lambda: monitors(job.mark))
    time.sleep(WAITED)
    job.process.send_signal(how)
    result = job.finish(20, patience=5)
    assert not result.findings, str(result)
    stored = reported(mpi, str(tmp_path / "kept"))
    for text in (result.err, stored):
        assert since(text, "ranks 0 and 2") >= WAITED, text
        assert f"program.py:{line_of(STORED, 'waits')}" in text, text
        assert text.lower().count("where all ranks were") == 1, text
    assert f"report {tmp_path / 'kept'}" in result.err, str(result)
    assert "the last calls of rank 1" in stored, stored
    if "KeyboardInterrupt" in result.err.partition("Where all")[2]:
        assert "in step" in stored, stored


def test_ledger_of_a_job_that_was_killed_with_its_monitor(mpi: Environment) -> None:
    job = start(mpi, STORED, 3)
    begun(job)
    wait_for(lambda: monitors(job.mark))
    time.sleep(WAITED)
    for pid in (*monitors(job.mark), job.process.pid, *job.ranks("program.py")):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    wait_for(lambda: not job.ranks("program.py"))
    stored = reported(mpi)
    place = f"{job.folder.name}/program.py:{line_of(STORED, 'waits')}"
    job.finish(20, patience=0)
    assert place in stored, stored


def test_ranks_killed_at_once_are_nobodys_fault(mpi: Environment) -> None:
    job = start(mpi, WAITING, 3)
    begun(job)
    wait_for(lambda: monitors(job.mark))
    time.sleep(0.5)
    for pid in job.ranks("program.py"):
        with suppress(ProcessLookupError):  # Hydra ends the others as soon as one has ended
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
