"""The ledger of a live job of one process, and files that are none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

native = pytest.importorskip("jaxmpi_lint.runtime._native")

from jaxmpi_lint.runtime.ledger.folders import PLAIN  # noqa: E402
from jaxmpi_lint.runtime.ledger.reader import Ledger, live_jobs  # noqa: E402

PROGRAM = """
import sys
from mpi4py import MPI
MPI.COMM_WORLD.Barrier()
MPI.COMM_WORLD.allreduce(1)
print("unflushed", end="")
sys.stderr.write("ready\\n")
sys.stdin.read()
"""
STACKS = """
import json, random, sys, threading
from mpi4py import MPI
comm, wanted = MPI.COMM_SELF, []
def lines():
    frame, found = sys._getframe(1), []
    while frame is not None:
        if frame.f_code.co_filename == __file__ and (not found or found[-1] != frame.f_lineno):
            found.append(frame.f_lineno)
        frame = frame.f_back
    error, passed = sys.exc_info()[1], []
    at = error and error.__traceback__
    while at is not None:
        passed += [at.tb_lineno] if at.tb_frame.f_code.co_filename == __file__ else []
        at = at.tb_next
    wanted.append([found[:5], error and [type(error).__name__, passed[-1]]])
def barrier(ways): comm.Barrier(); lines()
def again(depth, ways):
    if depth:
        again(depth - 1, ways)
    else:
        onwards(ways)
def decoded(ways):
    def hook(_): onwards(ways)
    json.loads('{}', object_hook=hook)
def nested(ways):
    def hook(_): decoded(ways)
    json.loads('[[{}]]', object_pairs_hook=hook)
def onwards(ways): ways[0](ways[1:])
def plainly(ways): onwards(ways)
def threaded(ways):
    thread = threading.Thread(target=onwards, args=(ways,))
    thread.start()
    thread.join()
class Absent(Exception): pass
def failing(kind):
    if kind is ValueError: json.loads('{')
    raise kind()
def handler(kind, ways):
    try:
        failing(kind)
    except Exception:
        onwards(ways)
def finishing(ways):
    try:
        try:
            failing(KeyError)
        finally:
            onwards(ways)
    except KeyError:
        pass
def generated(ways):
    def values():
        try:
            failing(IndexError)
        except IndexError:
            yield 1
            onwards(ways)
            yield 2
    for value in values():
        pass
def around(ways):
    def values():
        yield onwards(ways)
    try:
        failing(Absent)
    except Absent:
        list(values())
kinds = [decoded, nested, plainly, threaded, finishing, generated, around, *(lambda ways, e=e: handler(e, ways) for e in
         (Absent, ValueError)), *(lambda ways, d=d: again(d, ways) for d in (1, 4, 5, 9))]
choice = random.Random(5)
stacks = [[*choice.choices(kinds, k=choice.randrange(5)), barrier] for _ in range(60)]
for _ in range(3):
    choice.shuffle(stacks)
    for stack in stacks:
        onwards(stack)
print(json.dumps(wanted), flush=True)
sys.stderr.write("ready\\n")
sys.stdin.read()
"""
ENDS_LATE = """
import ctypes, sys, time
from mpi4py import MPI
class Slow:
    def write(self, text): ...
    def flush(self): time.sleep(0.1)  # lets other threads have the interpreter, when it is about to end
MPI.COMM_WORLD.Barrier()
sys.setswitchinterval(1000)
sys.stdout = Slow()
holding = ctypes.PyDLL(None)
sys.stderr.write("ready\\n")
while holding.access(b"go", 0):
    holding.usleep(1000)
"""
OPENMPI_AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@contextmanager
def running(tmp_path: Path, text: str = PROGRAM) -> Iterator[tuple[subprocess.Popen[str], Ledger]]:
    """A process that has called MPI and waits, and its ledger."""
    pytest.importorskip("mpi4py")
    program = tmp_path / "program.py"
    program.write_text(text)
    process = subprocess.Popen(
        [sys.executable, str(program)],
        env={**os.environ, **OPENMPI_AS_ROOT, "JAXMPI_SANITIZE": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if line == "ready\n":
                break
        yield process, ledger_of(process.pid)
    finally:
        process.kill()
        process.communicate()


def ledger_of(process: int) -> Ledger:
    """The ledger in which the process is a rank."""
    for job in live_jobs():
        ledger = Ledger(job.ledger)
        if process in {rank.process for rank in ledger.snapshot().ranks}:
            return ledger
    pytest.fail("the job has no ledger")


@pytest.mark.runs_mpi
def test_a_live_job_can_be_read(tmp_path: Path) -> None:
    with running(tmp_path) as (process, ledger):
        snapshot = ledger.snapshot()
        assert snapshot.consistent
        assert snapshot.world_size == 1
        (rank,) = snapshot.ranks
        assert (rank.rank, rank.process, rank.state, rank.alive) == (0, process.pid, "running", True)
        assert rank.python
        names = [record.function for record in ledger.history(0, 100)]
        assert "MPI_Barrier" in names
        barrier = ledger.history(0, 100)[names.index("MPI_Barrier")]
        assert barrier.site is not None
        assert (Path(barrier.site.file).name, barrier.site.line) == ("program.py", 4)
        stacks = ledger.ask_stacks(0, 5.0)
        assert stacks is not None
        assert 'program.py", line 8' in stacks


@pytest.mark.runs_mpi
def test_callers_are_those_of_each_stack(tmp_path: Path) -> None:
    with running(tmp_path, STACKS) as (process, ledger):
        assert process.stdout is not None
        wanted = json.loads(process.stdout.readline())
        calls = [record for record in ledger.history(0, 1000) if "Barrier" in record.function]
        sites = [call.site for call in calls if call.site is not None]
        lines = [[site.line, *(caller.line for caller in site.callers)] for site in sites]
        handled = [site.handled and [site.handled.exception, site.handled.site.line] for site in sites]
        assert list(map(list, zip(lines, handled, strict=True))) == wanted
        assert {one[0] for one in handled if one} == {"Absent", "JSONDecodeError", "KeyError", "IndexError"}


@pytest.mark.runs_mpi
def test_the_end_flushes_and_leaves_nothing(tmp_path: Path) -> None:
    with running(tmp_path) as (process, ledger):
        folder = Path(ledger.directory)
        ledger.end(9)
        out, _ = process.communicate(timeout=20)
        assert process.returncode == 9
        assert out == "unflushed"
        deadline = time.monotonic() + 10
        while (Path(ledger.path).exists() or folder.exists()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not Path(ledger.path).exists()
        assert not folder.exists()


@pytest.mark.runs_mpi
def test_a_process_that_ends_by_itself_meanwhile_is_ended_all_the_same(tmp_path: Path) -> None:
    with running(tmp_path, ENDS_LATE) as (process, ledger):
        ledger.end(9)  # from now on one of our threads waits for the interpreter, which ends that thread
        time.sleep(0.05)
        (tmp_path / "go").touch()
        _, errors = process.communicate(timeout=20)
        assert process.returncode == 9, errors


@pytest.mark.runs_mpi
def test_a_copy_can_be_read_when_the_job_is_gone(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    with running(tmp_path) as (_, ledger):
        ledger.copy(str(kept / PLAIN))
        live = ledger.snapshot()
    copy = Ledger(kept).snapshot()
    assert copy.job == live.job
    assert [rank.process for rank in copy.ranks] == [rank.process for rank in live.ranks]
    assert not copy.ranks[0].alive


@pytest.mark.parametrize("content", [b"", b"x" * 100, b"\0" * (1 << 20)])
def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / PLAIN
    path.write_bytes(content)
    with pytest.raises(RuntimeError, match=str(tmp_path)):
        Ledger(tmp_path)


def test_a_missing_ledger_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="cannot be read"):
        Ledger(tmp_path / "nothing")
