"""Calls of functions that were looked up by their names: by ctypes, by cffi, by libraries."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from .environments import LIBRARIES, Environment, cannot_run, environment_of, has
from .harness import run
from .test_activation import build, compiler, went_well

pytestmark = pytest.mark.runs_mpi

LOOKS_UP = """\
#include <dlfcn.h>
static void *library;
int begin(void) {
    library = dlopen(LIBMPI, RTLD_LAZY);
    return ((int (*)(void *, void *))dlsym(library, "MPI_Init"))(0, 0);
}
int end(void) { return ((int (*)(void))dlsym(library, "MPI_Finalize"))(); }
"""
NEXT = """\
#define _GNU_SOURCE
#include <dlfcn.h>
int number(void) { return 1; }
int next(void) {
    int (*found)(void) = (int (*)(void))dlsym(RTLD_NEXT, "number");
    return found ? found() : -1;
}
int first(void) { return ((int (*)(void))dlsym(RTLD_DEFAULT, "number"))(); }
"""
BY_NAME = """\
import ctypes
from mpi4py import MPI
LIBMPI = {library!r}
handle = ctypes.c_void_p if MPI._sizeof(MPI.Comm) == 8 else ctypes.c_int
world = handle.from_address(MPI._addressof(MPI.COMM_WORLD))
"""
THROUGH = {
    "ctypes": "library = ctypes.CDLL(LIBMPI)",
    "ctypes, any library": "library = ctypes.CDLL(LIBMPI, 256) and ctypes.CDLL(None)",
    "cffi": "import cffi\nffi = cffi.FFI()\nkind = 'int' if handle is ctypes.c_int else 'size_t'\n"
    "ffi.cdef(f'int MPI_Barrier({kind});')\nlibrary = ffi.dlopen(LIBMPI)\nworld = world.value",
}


def libmpi_of(mpi: Environment) -> str:
    return str(next((mpi.prefix / "lib").glob("libmpi.so.*")))


def need(mpi: Environment, through: str) -> None:
    if through == "cffi" and not has(mpi.prefix, "cffi"):
        cannot_run(f"no cffi in the environment with {mpi}: run `python tests/prepare.py`")


@pytest.mark.parametrize("through", THROUGH)
def test_calls_by_name_are_seen(mpi: Environment, through: str) -> None:
    need(mpi, through)
    program = f"{BY_NAME.format(library=libmpi_of(mpi))}{THROUGH[through]}\n"
    right = run(mpi, f"{program}print(' %d ' % library.MPI_Barrier(world), end='')\nMPI.COMM_WORLD.Barrier()", 2)
    went_well(right)
    assert right.out.split() == ["0", "0"], right
    wrong = run(mpi, f"{program}library.MPI_Barrier(world) if MPI.COMM_WORLD.rank else MPI.COMM_WORLD.bcast(None)", 2)
    assert (wrong.status, wrong.codes) == (66, {"JS101"}), wrong
    assert all("program.py" in str(finding) for finding in wrong.findings), wrong


BY_NAME_ALONE = {
    "ctypes": "import ctypes\nlibrary = ctypes.CDLL({library!r})\nlibrary.MPI_Init(None, None)\nlibrary.MPI_Finalize()",
    "cffi": "import cffi\nffi = cffi.FFI()\nffi.cdef('int MPI_Init(int*, char**); int MPI_Finalize(void);')\n"
    "library = ffi.dlopen({library!r})\nlibrary.MPI_Init(ffi.NULL, ffi.NULL)\nlibrary.MPI_Finalize()",
}


@pytest.mark.parametrize("through", BY_NAME_ALONE)
def test_mpi_that_is_initialised_by_name(mpi: Environment, through: str) -> None:
    need(mpi, through)
    went_well(run(mpi, BY_NAME_ALONE[through].format(library=libmpi_of(mpi)), 2))


def test_ctypes_that_is_built_into_the_interpreter(mpi: Environment) -> None:
    program = (
        "import os, sys, _ctypes\nsys.builtin_module_names += ('_ctypes',)\nos.environ['JAXMPI_SANITIZE'] = '1'\n"
        "import jaxmpi_lint.runtime.activation\n"
    )
    went_well(run(mpi, program + BY_NAME_ALONE["ctypes"].format(library=libmpi_of(mpi)), 2, sanitize=""))


@pytest.mark.parametrize("linked", ["linked to MPI", "not linked to MPI"])
def test_library_that_looks_up_mpi(mpi: Environment, tmp_path: Path, linked: str) -> None:
    flag = "-Wl,--no-as-needed" if linked == "linked to MPI" else "-Wl,--as-needed"
    helper = build(mpi, tmp_path, LOOKS_UP, flag, "-shared", f'-DLIBMPI="{libmpi_of(mpi)}"')
    result = run(mpi, f"import ctypes\nhelper = ctypes.CDLL({str(helper)!r})\nhelper.begin()\nhelper.end()", 2)
    if linked == "linked to MPI":
        went_well(result)
    else:
        assert result.status == 0, result
        assert [line for line in result.said if "NOT CHECKED: another library loaded MPI" in line], result


def test_library_that_looks_up_mpi_after_mpi4py(mpi: Environment, tmp_path: Path) -> None:
    helper = build(mpi, tmp_path, LOOKS_UP, "-Wl,--as-needed", "-shared", f'-DLIBMPI="{libmpi_of(mpi)}"')
    program = (
        f"import ctypes\nimport mpi4py\nmpi4py.rc.initialize = mpi4py.rc.finalize = False\n"
        f"from mpi4py import MPI\nhelper = ctypes.CDLL({str(helper)!r})\nhelper.begin()\n"
        "MPI.COMM_WORLD.Barrier() if MPI.COMM_WORLD.rank else MPI.COMM_WORLD.bcast(None)\nhelper.end()"
    )
    result = run(mpi, program, 2)
    assert (result.status, result.codes) == (66, {"JS101"}), result


def test_mpi_that_was_looked_up_too_early(mpi: Environment) -> None:
    program = (
        "import ctypes\nlibrary = ctypes.CDLL(LIBMPI)\nbegin, end = library.MPI_Init, library.MPI_Finalize\n"
        "import os\nos.environ['JAXMPI_SANITIZE'] = '1'\nimport jaxmpi_lint.runtime.activation, _ctypes_test\n"
        "begin(None, None)\nend()"
    )
    result = run(mpi, f"LIBMPI = {libmpi_of(mpi)!r}\n{program}", 2, sanitize="")
    assert result.status == 0, result
    assert [line for line in result.said if "NOT CHECKED: MPI calls bypassed" in line], result


def test_what_a_library_looks_up_depends_on_it_as_before(mpi: Environment, tmp_path: Path) -> None:
    later = tmp_path / "later.so"
    (tmp_path / "later.c").write_text("int number(void) { return 2; }")
    subprocess.run([compiler(), "-shared", "-fPIC", str(tmp_path / "later.c"), "-o", str(later)], check=True)
    helper = build(mpi, tmp_path, NEXT, "-shared", "-Wl,--no-as-needed", str(later))
    program = f"import ctypes\nhelper = ctypes.CDLL({str(helper)!r})\nfrom mpi4py import MPI\n"
    result = run(mpi, f"{program}print(' %d %d ' % (helper.next(), helper.first()), end='')", 2)
    went_well(result)
    assert result.out.split() == ["2", "1", "2", "1"], result


def test_second_library_is_refused_when_its_functions_are_looked_up_by_name() -> None:
    first, second = (environment_of(library) for library in LIBRARIES)
    program = f"from mpi4py import MPI\nimport ctypes\nprint(ctypes.CDLL({libmpi_of(second)!r}).MPI_Barrier(0))"
    result = run(first, program, 2)
    assert (result.status, result.codes) == (66, {"JS401"}), result
    assert result.out == "", result
