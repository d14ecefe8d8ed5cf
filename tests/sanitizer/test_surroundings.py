"""The ways in which programs are started, and what stands around them."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from .cases import program
from .environments import ROOT, Environment
from .expectations import complaints_about_leaving
from .harness import MARK, run

pytestmark = pytest.mark.runs_mpi

WRONG = program("comm.Allreduce(small, space, op=MPI.MAX if rank == 1 else MPI.SUM)")
C_PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, size;
    double one = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 100; ++i) MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (argc > 1) MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, rank == 1 ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    printf("sum %g of %d\\n", sum, size);
    MPI_Finalize();
    return 0;
}
"""


@pytest.fixture
def compiled(mpi: Environment, tmp_path: Path) -> Path:
    """A program without Python."""
    if shutil.which("gcc") is None and shutil.which("cc") is None:
        pytest.skip("no C compiler")
    source, target = tmp_path / "program.c", tmp_path / "a.out"
    source.write_text(C_PROGRAM)
    command = [str(mpi.script("mpicc")), str(source), "-o", str(target)]
    subprocess.run(command, check=True, env=mpi.variables(), timeout=60)
    return target


def test_program_without_python(mpi: Environment, compiled: Path) -> None:
    start = str(mpi.script("jaxmpi-sanitize"))
    right = run(mpi, [start, "run", str(compiled)], 2, sanitize="")
    assert (right.status, right.findings) == (0, ()), str(right)
    assert right.out.count("sum 2 of 2") == 2
    assert any("checking 2 ranks" in line for line in right.said), str(right)
    wrong = run(mpi, [start, "run", "--", str(compiled), "wrong"], 2, sanitize="")
    assert (wrong.status, wrong.codes) == (66, {"JS104"}), str(wrong)
    assert not complaints_about_leaving(wrong), str(wrong)


@pytest.mark.parametrize("way", ["-m mpi4py", "-m package", "-c", "script", "run"])
def test_ways_to_start_python(mpi: Environment, tmp_path: Path, way: str) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__main__.py").write_text(WRONG)
    path = tmp_path / "tool"
    path.write_text(f"#!{mpi.python}\n{WRONG}")
    path.chmod(0o755)
    command = {
        "-m mpi4py": [mpi.python, "-m", "mpi4py", str(path)],
        "-m package": [mpi.python, "-m", "package"],
        "-c": [mpi.python, "-c", WRONG],
        "script": [str(path)],
        "run": [str(mpi.script("jaxmpi-sanitize")), "run", mpi.python, str(path)],
    }[way]
    result = run(mpi, command, 2, sanitize="" if way == "run" else "1", variables={"PYTHONPATH": str(tmp_path)})
    assert (result.status, result.codes) == (66, {"JS104"}), str(result)
    (finding,) = result.errors
    if way != "-c":
        line = WRONG.splitlines().index("comm.Allreduce(small, space, op=MPI.MAX if rank == 1 else MPI.SUM)") + 1
        assert {place.line for place in finding.places} == {line + (way != "-m package")}, str(result)


def test_report_appears_under_pytest_without_s(mpi: Environment, tmp_path: Path) -> None:
    if not mpi.script("pytest").exists():
        pytest.skip("no pytest in that environment")
    body = "    comm = MPI.COMM_WORLD\n    comm.allreduce(1, op=MPI.MAX if comm.rank == 1 else MPI.SUM)\n"
    (tmp_path / "test_wrong.py").write_text(f"from mpi4py import MPI\n\n\ndef test_wrong():\n{body}")
    command = [mpi.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "test_wrong.py")]
    result = run(mpi, command, 2)
    assert (result.status, result.codes) == (66, {"JS104"}), str(result)
    assert "JS104" in result.err, str(result)
    assert not complaints_about_leaving(result), str(result)


def test_captured_output_ends_with_the_job(mpi: Environment, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(WRONG)
    command = mpi.launch(2, mpi.python, str(tmp_path / "program.py"))
    env = mpi.variables() | {"JAXMPI_SANITIZE": "1", MARK: "captured"}
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path, timeout=60, check=False)
    assert done.returncode == 66
    assert "JS104" in done.stderr
    assert time.monotonic() - began < 30


def test_kept_ledger_can_be_read_afterwards(mpi: Environment, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    result = run(mpi, WRONG, 2, options={"log_dir": kept})
    assert result.status == 66
    tool = [str(mpi.script("jaxmpi-sanitize")), "report", str(kept)]
    shown = subprocess.run(tool, capture_output=True, text=True, env=mpi.variables(), timeout=60, check=False)
    assert "JS104" in shown.stdout + shown.stderr, shown
    assert "Allreduce" in shown.stdout + shown.stderr


def test_ended_job_leaves_no_memory_of_mpi_behind(mpi: Environment) -> None:
    tell = """
        for line in open("/proc/self/maps"):
            if "/dev/shm/mpich_shm" in line or "/dev/shm/sm_segment" in line:
                print("maps", line.split()[5], flush=True)
        """
    result = run(mpi, program(tell) + WRONG, 2)
    assert result.status == 66
    segments = {line.split()[1] for line in result.out.splitlines() if line.startswith("maps")}
    assert segments
    assert not [name for name in segments if Path(name).exists()]


def test_strict_mode(mpi: Environment) -> None:
    right = program("""
        requests = [comm.Iallreduce(small, np.empty(4)), comm.Ibarrier()]
        for _ in range(20):
            comm.Allreduce(small, space)
            comm.bcast(rank, root=0)
        MPI.Request.Waitall(requests)
        """)
    result = run(mpi, right, 2, sanitize="strict")
    assert (result.status, result.findings) == (0, ()), str(result)
    result = run(mpi, WRONG, 2, sanitize="strict")
    assert (result.status, result.codes) == (66, {"JS104"}), str(result)


def test_strict_mode_serves_windows_of_waiting_ranks(mpi: Environment) -> None:
    """MPICH completes an operation on the window of another rank only if that rank makes progress."""
    text = program("""
        window = MPI.Win.Allocate(64, 8, comm=comm)
        window.Fence()
        comm.Barrier()
        if rank == 1:
            for _ in range(3):
                window.Lock(0)
                window.Accumulate(small, 0)
                window.Unlock(0)
        comm.Barrier()
        window.Free()
        """)
    result = run(mpi, text, 2, sanitize="strict")
    assert (result.outcome, result.findings) == ("ends", ()), str(result)


EXAMPLES = [("mpi4py_buffers/right.py", 1), ("mpi4py_buffers/right.py", 2), ("mpi4py_buffers/right.py", 4)]


@pytest.mark.parametrize(("name", "ranks"), EXAMPLES)
def test_results_are_bit_identical(mpi: Environment, name: str, ranks: int) -> None:
    path = ROOT / "examples" / name
    off, on = run(mpi, path, ranks, sanitize=""), run(mpi, path, ranks)
    assert (off.status, on.status) == (0, 0), str(on)
    assert off.out == on.out
    assert not on.errors


def test_values_are_bit_identical(mpi: Environment) -> None:
    text = program("""
        import hashlib
        generator, digest = np.random.default_rng(rank), hashlib.sha256()
        values = generator.random(1000)
        for turn in range(20):
            comm.Allreduce(MPI.IN_PLACE, values)
            digest.update(values.tobytes())
            request = comm.Isend(values, dest=right)
            status = MPI.Status()
            comm.Recv(much[:1000], source=MPI.ANY_SOURCE, status=status)
            request.Wait()
            digest.update(repr((status.source, status.tag, status.Get_count(MPI.DOUBLE))).encode())
            values = np.sin(much[:1000]) * generator.random(1000)
        if rank == 0:
            print(digest.hexdigest())
        """)
    off, on = run(mpi, text, 2, sanitize=""), run(mpi, text, 2)
    assert sorted(off.out.splitlines()) == sorted(on.out.splitlines()), str(on)
