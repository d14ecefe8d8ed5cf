"""What a person reads after a job: held ranks, names of calls, stored folders, the width of tables; silent pools."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from .cases import program
from .environments import Environment
from .harness import PROMPT, Result, run

pytestmark = pytest.mark.runs_mpi

HELPER = """
    def total(values):
        comm.Allreduce(values, np.empty_like(values))

    for _ in range(2):
        total(np.ones(4))  # before
    if rank == 1:
        total(np.ones(3))  # odd
    else:
        total(np.ones(4))  # even
    """


def line_of(text: str, mark: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if line.endswith(f"# {mark}"))


def shown(mpi: Environment, folder: Path) -> str:
    """What `jaxmpi-sanitize report` prints of a folder."""
    tool = [str(mpi.script("jaxmpi-sanitize")), "report", str(folder)]
    done = subprocess.run(tool, capture_output=True, text=True, env=mpi.variables(), timeout=60, check=True)
    return done.stdout


def messages(result: Result, code: str) -> list[str]:
    return [finding.message for finding in result.findings if finding.code == code]


def test_ranks_are_where_the_finding_says(mpi: Environment, tmp_path: Path) -> None:
    text = program(HELPER)
    result = run(mpi, text, 3, options={"log_dir": tmp_path / "kept"})
    assert result.codes == {"JS105"}, str(result)
    ranks = shown(mpi, tmp_path / "kept").partition("where all ranks were")[2].partition("the last calls")[0]
    assert re.search(r"rank 1  .*Allreduce\(op=SUM\), 3 x float64", ranks), ranks
    assert re.search(r"ranks 0 and 2  .*Allreduce\(op=SUM\), 4 x float64|rank 0  .*4 x float64", ranks), ranks
    assert f"program.py:{line_of(text, 'odd')}" in ranks, ranks
    assert f"program.py:{line_of(text, 'even')}" in ranks, ranks
    assert f"program.py:{line_of(text, 'before')}" not in ranks, ranks
    assert "JS105" in ranks, ranks
    assert "wait" not in ranks, ranks  # ranks inside the collective do not wait for the held ones


def test_counts_that_agree_in_bytes_alone(mpi: Environment) -> None:
    text = program("""
        kind = np.float64 if rank == 0 else np.int64
        comm.Alltoallv([np.ones(size, kind), [1] * size], [np.ones(size, kind), [1] * size])
        """)
    result = run(mpi, text, 2)
    (message,) = messages(result, "JS110")
    forms = (
        "rank 0 sends 1 x float64 (8 bytes) to rank 1, which expects 1 x int64 (8 bytes)",
        "rank 1 sends 1 x int64 (8 bytes) to rank 0, which expects 1 x float64 (8 bytes)",
    )
    assert message.partition(":")[0] in forms, str(result)


@pytest.mark.parametrize(
    ("call", "name"), [("comm.isend(1, dest=right)", "isend"), ("comm.Isend(small, right)", "Isend")]
)
def test_incomplete_requests_name_the_function(mpi: Environment, call: str, name: str) -> None:
    text = program(f"""
        kept = [{call} for _ in range(3)]
        for _ in range(3):
            comm.{"recv(source=left)" if name == "isend" else "Recv(space, left)"}
        comm.Barrier()
        """)
    result = run(mpi, text, 2)
    assert messages(result, "JS303") == [f"ranks 0 and 1: 3 requests of {name} never completed"], str(result)


ALONE = {
    "comm.Recv(space, source=0)": "Recv(source=0, tag=ANY_TAG): only rank 0 could send",
    "comm.Ssend(small, dest=0)": "Ssend(dest=0, tag=0): only rank 0 could receive",
    "comm.Irecv(space, source=0, tag=3).Wait()": "Wait() for a receive (source=0, tag=3): only rank 0 could send",
    "MPI.COMM_SELF.recv()": "recv(source=ANY_SOURCE, tag=ANY_TAG, MPI_COMM_SELF): only rank 0 could send",
}


@pytest.mark.parametrize("call", ALONE)
def test_a_rank_that_waits_for_itself(mpi: Environment, call: str) -> None:
    result = run(mpi, program(f"if rank == 0:\n    {call}\n"), 2)
    assert messages(result, "JS201") == [f"rank 0 waits for itself in {ALONE[call]} this message"], str(result)
    assert "no rank" not in result.err, str(result)


def test_a_wait_shows_what_it_waits_for(mpi: Environment) -> None:
    text = program("""
        wanted = [comm.Irecv(space, MPI.ANY_SOURCE, MPI.ANY_TAG), comm.Irecv(np.empty(4), right, 5)]
        MPI.Request.Waitall(wanted)
        """)
    result = run(mpi, text, 2)
    assert result.codes == {"JS201"}, str(result)
    assert "Waitall() for a receive (source=ANY_SOURCE, tag=ANY_TAG)" in result.err, str(result)


NEVER = """
    request = comm.Send_init(small, dest=right)  # made
    comm.Barrier()
    if rank == 1:
        comm.Recv(space, source=0)
    """


def test_a_persistent_request_that_is_never_started(mpi: Environment) -> None:
    text = program(NEVER)
    result = run(mpi, text, 2)
    assert result.codes == {"JS202"}, str(result)
    note = f"rank 0 made a persistent request (Send_init to rank 1 at program.py:{line_of(text, 'made')}) and never"
    assert [note in one for one in result.findings[0].raw["notes"]].count(True) == 1, str(result)


def test_folders_sort_are_small_and_are_pruned(mpi: Environment, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(program(HELPER))
    names = []
    for keep in (0, 0, 2):
        variables = {"JAXMPI_SANITIZE": "1", "JAXMPI_SANITIZE_OPTIONS": f"keep={keep}"}
        command = mpi.launch(2, mpi.python, "program.py")
        done = subprocess.run(command, cwd=tmp_path, env=mpi.variables() | variables, capture_output=True, text=True,
                              timeout=60, check=False)  # fmt: skip
        assert done.returncode == 66, done.stderr
        names.append(re.findall(r"jaxmpi-sanitize report (jaxmpi-sanitize\.\d{8}-\d{6}\.\S+)", done.stderr)[0])
    assert names == sorted(names)
    assert sorted(path.name for path in tmp_path.glob("jaxmpi-sanitize.*")) == names[1:]
    newest = tmp_path / names[-1]
    assert sum(file.stat().st_size for file in newest.iterdir()) < 1 << 18
    assert "the last calls of rank 1" in shown(mpi, newest)


def on_a_terminal(command: Sequence[str], columns: int, env: dict[str, str], cwd: Path) -> str:
    """The output of a command on a terminal with so many columns."""
    own, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=other, stderr=other, env=env, cwd=cwd)
    os.close(other)
    read: list[bytes] = []
    with suppress(OSError):  # all that had the terminal have ended
        while part := os.read(own, 4096):
            read.append(part)
    os.close(own)
    process.wait(timeout=60)
    return re.sub(r"\x1b\[[\d;]*m", "", b"".join(read).decode(errors="replace")).replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [70, 110])
def test_tables_fit_into_the_terminal(mpi: Environment, tmp_path: Path, columns: int) -> None:
    (tmp_path / "program.py").write_text(program(HELPER))
    env = {name: value for name, value in mpi.variables().items() if name != "COLUMNS"} | {"JAXMPI_SANITIZE": "1"}
    text = on_a_terminal(mpi.launch(3, mpi.python, "program.py"), columns, env, tmp_path)
    assert "JS105 error" in text, text
    rows = text[text.index("  the last collectives") :].partition("\n\n")[0].splitlines()
    assert len(rows) >= 4, text
    assert max(map(len, rows)) <= columns, text


POOL = """
import multiprocessing
{}
def square(number):
    return number * number

if __name__ == "__main__":
    with multiprocessing.get_context("{}").Pool(2) as pool:
        print(sum(pool.map(square, range(4))))
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
@pytest.mark.parametrize("first", ["from mpi4py import MPI", "import numpy"])
def test_a_pool_in_plain_python_is_silent(mpi: Environment, method: str, first: str) -> None:
    result = run(mpi, POOL.format(first, method), 0)
    assert (result.status, result.out, result.codes) == (0, "14\n", set()), str(result)
    assert not [line for line in result.err.splitlines() if PROMPT in line], str(result)


def test_one_rank_of_a_launcher_is_not_silent(mpi: Environment) -> None:
    result = run(mpi, program("comm.Barrier()"), 1)
    assert any("checking 1 rank" in line for line in result.said), str(result)


def with_flags(mpi: Environment, *flags: str) -> Result:
    tool = [str(mpi.script("jaxmpi-sanitize")), "run", mpi.python, *flags]
    return run(mpi, [*tool, "-c", "print('ran')"], 0)


@pytest.mark.parametrize(
    ("flags", "told"), [((), False), (("-u", "-X", "dev"), False), (("-S",), True), (("-IS",), True)], ids=str
)
def test_options_of_python_that_switch_the_sanitizer_off(mpi: Environment, flags: tuple[str, ...], told: bool) -> None:
    result = with_flags(mpi, *flags)
    assert (result.status, result.out) == (0, "ran\n"), str(result)
    assert any("NOT CHECKING" in line and "remove -S" in line for line in result.said) is told, str(result)
    assert bool(result.said) is told, str(result)
