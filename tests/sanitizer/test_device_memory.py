"""A GPU's memory given to an MPI library that does not take it, with a pretended driver in the place of NVIDIA's."""

from __future__ import annotations

import os
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

from .cases import expected_places, program
from .environments import ROOT, Environment, cannot_run
from .harness import run

pytestmark = pytest.mark.runs_mpi

SOURCE = ROOT / "tests" / "native" / "pretended_driver.cpp"
DRIVER = """
import ctypes
driver = ctypes.CDLL({driver!r})
driver.pretended_allocate.restype = ctypes.c_uint64
driver.pretended_allocate.argtypes = [ctypes.c_size_t, ctypes.c_int]
device = MPI.memory.fromaddress(driver.pretended_allocate(800, 0), 800)
comm.Barrier()
"""
CALLS = {
    "a message": """
        if rank == 0:
            comm.Send([device, 100, MPI.DOUBLE], 1)  #@ rank 0: JS404
        else:
            comm.Recv([bytearray(800), 100, MPI.DOUBLE], 0)
        """,
    "a reduction": """
        comm.Barrier() if rank == 0 else comm.Iallreduce(MPI.IN_PLACE, [device, 100, MPI.DOUBLE])  #@ rank 1: JS404
        """,
}
# What MPI does not touch, and what is the host's.
CLEAN = """
comm.Send([device, 100, MPI.DOUBLE], MPI.PROC_NULL)
comm.Allreduce(MPI.IN_PLACE, [device, 0, MPI.DOUBLE])
comm.Gatherv([bytearray(8), 1, MPI.DOUBLE], [bytearray(8 * size), [1] * size, MPI.DOUBLE] if rank == 0 else device)
total = bytearray(8)
for _ in range(3):
    comm.Allreduce([bytearray(8), 1, MPI.DOUBLE], [total, 1, MPI.DOUBLE])
print("went on")
"""
RAISED = """
try:
    comm.Send([device, 100, MPI.DOUBLE], 0)
except MPI.Exception:
    print("refused")
"""


@pytest.fixture
def driver(tmp_path: Path) -> Path:
    """The pretended driver, by the name that programs know it by."""
    compiler = os.environ.get("CXX", "c++").split()
    if shutil.which(compiler[0]) is None:
        cannot_run("no C++ compiler")
    made = tmp_path / "libcuda.so.1"
    flags = ["-std=c++20", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-Wl,-soname,libcuda.so.1"]
    subprocess.run([*compiler, *flags, str(SOURCE), "-o", str(made)], check=True, timeout=120)
    return made


@pytest.mark.parametrize("what", CALLS)
def test_it_is_an_error(mpi: Environment, driver: Path, what: str) -> None:
    text = program(DRIVER.format(driver=str(driver)) + "\n" + textwrap.dedent(CALLS[what]) + "print('went on')")
    result = run(mpi, text, 2)
    assert (result.status, result.codes) == (66, {"JS404"}), str(result)
    (finding,) = result.errors
    assert {(place.rank, place.line) for place in finding.places} == expected_places(text, 2)["JS404"], str(result)
    assert "device pointer" in finding.message
    assert "went on" not in result.out, str(result)


def test_what_is_not_touched_is_no_error(mpi: Environment, driver: Path) -> None:
    result = run(mpi, program(DRIVER.format(driver=str(driver)) + CLEAN), 2)
    assert (result.status, result.findings) == (0, ()), str(result)
    assert result.out.count("went on") == 2, str(result)


def test_it_may_be_an_exception(mpi: Environment, driver: Path) -> None:
    result = run(mpi, program(DRIVER.format(driver=str(driver)) + RAISED), 1, options={"on_error": "raise"})
    assert result.out.count("refused") == 1, str(result)
    assert result.codes == {"JS404"}, str(result)
