"""How the sanitizer comes into a process: every way to start a program, every way in which MPI gets there."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from .environments import LIBRARIES, Environment, environment_of
from .harness import Result, run

pytestmark = pytest.mark.runs_mpi

CHECKING = "checking 2 ranks of "
APP = """\
from mpi4py import MPI
import jaxmpi_lint.runtime

state = "active" if jaxmpi_lint.runtime.is_active() else "inactive"
print(f"{state} {MPI.COMM_WORLD.allreduce(1)}", flush=True)
"""
HELPER = """\
#include <mpi.h>
int sum_of_ranks(void) {
    int rank, sum = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, rank == WRONG ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    return sum;
}
int begin(void) { return MPI_Init(0, 0); }
int end(void) { return MPI_Finalize(); }
"""
PROGRAM = """\
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, rank == WRONG ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    printf("sum %d, preload %s\\n", sum, getenv("LD_PRELOAD"));
    return MPI_Finalize();
}
"""


@cache
def compiler() -> str:
    found = shutil.which("cc") or shutil.which("gcc")
    if found is None:
        pytest.skip("needs a C compiler")
    return found


def build(mpi: Environment, folder: Path, text: str, *flags: str, wrong: int = -1) -> Path:
    """A program or (`-shared`) a library of C that is linked to the environment's MPI."""
    source, target = folder / "source.c", folder / f"built-{mpi.library}.so"
    source.write_text(text)
    library = next(path for path in (mpi.prefix / "lib").glob("libmpi.so.*"))
    command = [compiler(), *flags, "-fPIC", f"-DWRONG={wrong}", f"-I{mpi.prefix}/include", str(source), str(library),
               f"-Wl,-rpath,{library.parent}", "-o", str(target)]  # fmt: skip
    subprocess.run(command, check=True)
    return target


def went_well(result: Result) -> None:
    assert result.status == 0, result
    assert sum(CHECKING in line for line in result.said) == 1, result
    assert result.findings == (), result


@pytest.mark.parametrize("start", [
    ("app.py",), ("-m", "package"), ("-m", "mpi4py", "app.py"), ("-m", "mpi4py", "-m", "package"), ("-I", "app.py"),
], ids=" ".join)  # fmt: skip
def test_python_programs(mpi: Environment, tmp_path: Path, start: Sequence[str]) -> None:
    (tmp_path / "app.py").write_text(APP)
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__main__.py").write_text(APP)
    words = [str(tmp_path / word) if word == "app.py" else word for word in start]
    result = run(mpi, [mpi.python, *words], 2, variables={"PYTHONPATH": str(tmp_path)})
    went_well(result)
    assert result.out.count("active 2") == 2, result
    assert "inactive" not in result.out, result


def test_script_with_a_shebang(mpi: Environment, tmp_path: Path) -> None:
    script = tmp_path / "console-script"
    script.write_text(f"#!{mpi.python}\n{APP}")
    script.chmod(0o755)
    went_well(run(mpi, [str(script)], 2))


def test_pytest_without_s(mpi: Environment, tmp_path: Path) -> None:
    pytest.importorskip("pytest")
    (tmp_path / "test_it.py").write_text(
        "from mpi4py import MPI\n"
        "def test_it():\n    assert MPI.COMM_WORLD.allreduce(1) == 2\n"
        "def test_wrong():\n    MPI.COMM_WORLD.bcast(1, root=MPI.COMM_WORLD.rank)\n"
    )
    result = run(mpi, [mpi.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)], 2)
    assert result.status == 66, result
    assert result.codes == {"JS103"}, result
    assert any("JS103" in line for line in result.said), result


@pytest.mark.parametrize("sanitize", ["", "0"])
def test_off_imports_nothing(mpi: Environment, sanitize: str) -> None:
    program = "import sys\nprint([name for name in sys.modules if name.startswith('jaxmpi')])"
    result = run(mpi, program, 0, sanitize=sanitize)
    assert (result.status, result.out.strip(), result.err) == (0, "[]", "")


def test_nothing_is_said_without_mpi(mpi: Environment) -> None:
    result = run(mpi, "import numpy, ctypes, sqlite3, subprocess", 0, options={"exitcode": "nonsense"})
    assert (result.status, result.err) == (0, "")


@pytest.mark.parametrize(("options", "said"), [
    ({"exitcode": "0"}, "exitcode=0: expected a whole number from 1 to 255"),
    ({"frobnicate": "1"}, "frobnicate is not an option; the options are "),
])  # fmt: skip
def test_mistake_in_the_options_ends_the_job_before_it_begins(
    mpi: Environment, options: dict[str, str], said: str
) -> None:
    result = run(mpi, "print('before', flush=True)\nfrom mpi4py import MPI\nprint('after')", 2, options=options)
    assert result.status == 2, result
    assert "after" not in result.out, result
    assert len(result.said) == 1, result
    assert said in result.said[0], result


ROUTES = {
    "first, and MPI with it": "helper = load(); from mpi4py import MPI",
    "after mpi4py": "from mpi4py import MPI; helper = load()",
    "asking for its own libraries first": "from mpi4py import MPI; helper = load(os.RTLD_DEEPBIND)",
    "after a libmpi with RTLD_GLOBAL": "ctypes.CDLL(LIBMPI, 256); helper = load(); from mpi4py import MPI",
    "without mpi4py": "helper = load(); helper.begin(); atexit.register(helper.end)",
}


@pytest.mark.parametrize("lazy", ["lazy", "now"])
@pytest.mark.parametrize("route", ROUTES)
def test_calls_from_a_library_are_seen(mpi: Environment, tmp_path: Path, route: str, lazy: str) -> None:
    helper = build(mpi, tmp_path, HELPER, "-shared", f"-Wl,-z,{lazy}", wrong=1)
    libmpi = next((mpi.prefix / "lib").glob("libmpi.so.*"))
    program = (
        f"import atexit, ctypes, os\nLIBMPI = {str(libmpi)!r}\n"
        f"def load(mode=0):\n    return ctypes.CDLL({str(helper)!r}, mode or ctypes.DEFAULT_MODE)\n"
        f"{ROUTES[route]}\nhelper.sum_of_ranks()\n"
    )
    result = run(mpi, program, 2)
    assert (result.status, result.codes) == (66, {"JS104"}), result


def test_too_late(mpi: Environment) -> None:
    program = (
        "from mpi4py import MPI\nimport os\nos.environ['JAXMPI_SANITIZE'] = '1'\n"
        "import jaxmpi_lint.runtime.activation, _ctypes_test\nprint(MPI.COMM_WORLD.allreduce(1))"
    )
    result = run(mpi, program, 2, sanitize="", options={"log_dir": "kept"})
    assert result.status == 0, result
    assert any("NOT CHECKING: MPI was initialised before" in line for line in result.said), result


def test_second_library_is_refused_before_its_first_call(tmp_path: Path) -> None:
    first, second = (environment_of(library) for library in LIBRARIES)
    helper = build(second, tmp_path, HELPER, "-shared")
    program = f"from mpi4py import MPI\nimport ctypes\nprint(ctypes.CDLL({str(helper)!r}).sum_of_ranks())"
    result = run(first, program, 2)
    assert (result.status, result.codes) == (66, {"JS401"}), result
    assert result.out == "", result


def test_second_library_that_is_never_called_is_no_error(tmp_path: Path) -> None:
    first, second = (environment_of(library) for library in LIBRARIES)
    helper = build(second, tmp_path, HELPER, "-shared")
    result = run(
        first, f"from mpi4py import MPI\nimport ctypes\nctypes.CDLL({str(helper)!r})\nMPI.COMM_WORLD.Barrier()", 2
    )
    went_well(result)


def test_forked_child_is_inert(mpi: Environment) -> None:
    program = (
        "import os\nfrom mpi4py import MPI\nimport jaxmpi_lint.runtime as runtime\nchild = os.fork()\n"
        "if child == 0:\n    os._exit(3 if not runtime.is_active() else 4)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3\nMPI.COMM_WORLD.Barrier()\n"
    )
    went_well(run(mpi, program, 2))


def test_paused_calls_are_left_out(mpi: Environment) -> None:
    program = (
        "from mpi4py import MPI\nimport numpy as np\nimport jaxmpi_lint.runtime as runtime\ncomm = MPI.COMM_WORLD\n"
        "with runtime.paused():\n"
        "    comm.Bcast(np.zeros(1), root=comm.rank) if comm.rank == 0 else comm.Bcast(np.zeros(1), root=0)\n"
        "    comm.Allreduce(np.zeros(1), np.zeros(1), op=(MPI.SUM, MPI.MAX)[comm.rank])\n"
        "comm.Barrier()\n"
    )
    went_well(run(mpi, program, 2))


PICKLED = """\
import copy, inspect, pickle
from mpi4py import MPI

method = MPI.Comm.allreduce
assert pickle.loads(pickle.dumps(method)) is method and copy.deepcopy(method) is method
assert (method.__name__, method.__qualname__, method.__module__) == ("allreduce", "Comm.allreduce", "mpi4py.MPI")
assert list(inspect.signature(method).parameters) == ["self", "sendobj", "op"]
assert list(inspect.signature(MPI.COMM_WORLD.allreduce).parameters) == ["sendobj", "op"]
assert method.__doc__ and inspect.isroutine(method) and "sendobj" in method.__doc__

class Mine(MPI.Intracomm):
    def bcast(self, obj, root=0):
        return super().bcast(obj, root)

mine = Mine(MPI.COMM_WORLD.Dup())
rank = mine.rank
assert mine.bcast(rank, root=1) == 1 and mine.bcast(rank) == 0
assert mine.allreduce(rank, op=MPI.MAX) == 1 and mine.allreduce(rank, lambda a, b: a - b) == -1
assert mine.reduce(1, MPI.SUM, 1) == (None, 2)[rank]
for bad in (lambda: mine.allreduce(lambda: 0), lambda: mine.bcast(), lambda: mine.bcast(1, root="x")):
    try:
        bad()
    except (pickle.PicklingError, TypeError, AttributeError):
        continue
    raise SystemExit(5)
assert mine.allgather(rank) == [0, 1] and mine.gather(rank, 1) == (None, [0, 1])[rank]
assert mine.scatter([3, 4] if rank == 0 else None) == 3 + rank and mine.alltoall([rank, rank]) == [0, 1]
assert mine.scan(1) == rank + 1 and mine.exscan(1) == (None, 1)[rank]
mine.Free()
"""


def test_pickling_methods_look_and_work_as_before(mpi: Environment) -> None:
    plain, watched = run(mpi, PICKLED, 2, sanitize="0"), run(mpi, PICKLED, 2)
    assert plain.status == 0, plain
    went_well(watched)


def test_program_without_python(mpi: Environment, tmp_path: Path) -> None:
    program = build(mpi, tmp_path, PROGRAM)
    result = run(mpi, [str(mpi.script("jaxmpi-sanitize")), "run", "--", str(program)], 2)
    went_well(result)
    assert result.out.count("sum 1, preload (null)") == 2, result


def test_error_in_a_program_without_python(mpi: Environment, tmp_path: Path) -> None:
    program = build(mpi, tmp_path, PROGRAM, wrong=1)
    result = run(mpi, [str(mpi.script("jaxmpi-sanitize")), "run", str(program)], 2)
    assert (result.status, result.codes) == (66, {"JS104"}), result


def test_program_that_initialises_mpi_past_the_sanitizer(mpi: Environment, tmp_path: Path) -> None:
    program = build(mpi, tmp_path, PROGRAM.replace("MPI_Init", "PMPI_Init"))
    result = run(mpi, [str(mpi.script("jaxmpi-sanitize")), "run", str(program)], 2)
    assert result.status == 0, result
    assert [line.partition(": MPI was")[0] for line in result.said] == ["jaxmpi-sanitize: NOT CHECKING"], result


@pytest.mark.parametrize("command", [("python", "app.py"), ("app.py",), ("./app",)], ids=" ".join)
def test_run_switches_python_programs_on(mpi: Environment, tmp_path: Path, command: Sequence[str]) -> None:
    (tmp_path / "app.py").write_text(APP)
    (tmp_path / "app").write_text(f"#!{mpi.python}\n{APP}")
    (tmp_path / "app").chmod(0o755)
    words = [str(tmp_path / word) if "app" in word else word for word in command]
    result = run(mpi, [str(mpi.script("jaxmpi-sanitize")), "run", *words], 2, sanitize="")
    went_well(result)


@pytest.mark.parametrize(("command", "status", "said"), [
    (("/bin/sh", "-c", "exit 3"), 3, "is not linked to an MPI library"),
    (("no-such-program",), 127, "no such program"),
    ((), 2, "usage: jaxmpi-sanitize run"),
])  # fmt: skip
def test_run_says_what_it_cannot_check(mpi: Environment, command: Sequence[str], status: int, said: str) -> None:
    result = run(mpi, [str(mpi.script("jaxmpi-sanitize")), "run", *command], 0)
    assert result.status == status, result
    assert said in result.err, result


def test_doctor_finds_the_environment_sane(mpi: Environment) -> None:
    result = run(mpi, [str(mpi.script("jaxmpi-sanitize")), "doctor"], 0, sanitize="")
    assert result.status == 0, result
    assert "!!" not in result.out, result
    assert f"ok launcher:      {mpi.script('mpirun')}" in result.out, result


def test_doctor_finds_the_launcher_of_another_library() -> None:
    first, second = (environment_of(library) for library in LIBRARIES)
    path = os.pathsep.join([str(second.prefix / "bin"), os.environ.get("PATH", os.defpath)])
    result = run(
        first, [first.python, "-m", "jaxmpi_lint.runtime.commands.command", "doctor"], 0, variables={"PATH": path}
    )
    assert result.status == 1, result
    assert "!! launcher:" in result.out, result
