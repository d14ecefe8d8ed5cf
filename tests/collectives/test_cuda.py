"""The handlers for CUDA, called as XLA calls them; no GPU is needed: a pretended driver takes the place of libcuda."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from jobs import PROGRAMS, jaxlib_headers, passes, run
from sanitizer.environments import Environment

TESTS = Path(__file__).parent.parent
SOURCES = {
    "driver": TESTS / "native" / "pretended_driver.cpp",
    "frame": TESTS / "collectives" / "native" / "frame.cpp",
    "gpu_aware": TESTS / "collectives" / "native" / "gpu_aware.cpp",
}
WARNINGS = ("-Wall", "-Wextra", "-Wshadow", "-Werror")
BOUND = 1 << 16
SEND = """
import sys
sys.path.insert(0, {programs!r})
import numpy as np
import pretended_gpu as gpu
from mpi4py import MPI
from jaxmpi_lint.runtime.collectives import communicators
static = {{"communicator": communicators.known(MPI.COMM_SELF).number, "dest": MPI.PROC_NULL, "sendtag": 0}}
try:
    gpu.call("send", [gpu.on_device(np.ones(3))], [], **static)
except RuntimeError as error:
    print("refused:", str(error).splitlines())
"""
DISAGREEMENT = """
import sys
sys.path.insert(0, {programs!r})
import numpy as np
import pretended_gpu as gpu
from mpi4py import MPI
from jaxmpi_lint.runtime.collectives import communicators, operators
given = gpu.on_device(np.ones(4 + MPI.COMM_WORLD.rank, np.float32))
static = {{"communicator": communicators.known(MPI.COMM_WORLD).number, "operator": operators.known(MPI.SUM).number}}
gpu.call("allreduce", [given], [given], **static)
print("went on")
"""
SUPPORT = """
import sys
sys.path.insert(0, {folder!r})
from jax._src import xla_bridge
import jaxmpi_lint.runtime.collectives as core
print("mapped:", {driver!r} in open("/proc/self/maps").read())
print("support:", core.has_cuda_support())
print("started:", xla_bridge.backends_are_initialized())
"""
LOWERED = """
import jax, jax.numpy as jnp
from mpi4py import MPI
import jaxmpi_lint.runtime.collectives as core
lowered = jax.jit(lambda x: core.allreduce(x, MPI.SUM)).trace(jnp.ones(3)).lower(lowering_platforms=("cuda",))
print("named:", "jaxmpi_operation" in lowered.as_text())
"""


@dataclass(frozen=True, slots=True)
class Libraries:
    """What the programs load."""

    driver: Path
    frame: Path
    gpu_aware: Path

    def variables(self) -> dict[str, str]:
        return {
            "JAXMPI_LIBCUDA": str(self.driver),
            "JAXMPI_TEST_DRIVER": str(self.driver),
            "JAXMPI_TEST_FRAME": str(self.frame),
            "JAXMPI_PINNED_BYTES": str(BOUND),
        }

    def aware(self) -> dict[str, str]:
        """With an MPI that says that it takes pointers to a GPU's memory."""
        return self.variables() | {"LD_PRELOAD": str(self.gpu_aware), "JAXMPI_TEST_GPU_AWARE": "1"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the libraries of this run are."""
    return tmp_path_factory.mktemp("cuda")


@pytest.fixture
def libraries(mpi: Environment, folder: Path) -> Libraries:
    """The libraries, compiled with the headers of the environment's jaxlib."""
    return compiled(jaxlib_headers(mpi), folder)


@cache
def compiled(include: str, folder: Path) -> Libraries:
    """The libraries, each compiled once."""
    compiler = os.environ.get("CXX", "c++").split()
    made = {}
    for name, source in SOURCES.items():
        made[name] = folder / f"{name}.so"
        command = [*compiler, "-std=c++20", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", *WARNINGS]
        command += ["-isystem", include, str(source), "-o", str(made[name])]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return Libraries(**made)


@pytest.mark.runs_mpi
@pytest.mark.parametrize("ranks", [2, pytest.param(1, marks=pytest.mark.soak), pytest.param(3, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", ["plain", "aware"])
def test_handlers(mpi: Environment, libraries: Libraries, kind: str, ranks: int) -> None:
    variables = libraries.aware() if kind == "aware" else libraries.variables()
    passes(mpi, ranks, "handlers_for_cuda", variables)


@pytest.mark.runs_mpi
def test_what_is_missing_is_said_in_one_line(mpi: Environment, libraries: Libraries) -> None:
    def refused(**variables: str) -> str:
        job = run(mpi, 1, SEND.format(programs=str(PROGRAMS)), libraries.variables() | variables)
        (line,) = re.findall(r"refused: \[.(.*).\]", job.text)
        return str(line)

    missing = refused(JAXMPI_LIBCUDA="/no/libcuda.so")
    assert missing.startswith("send: the CUDA driver cannot be loaded: /no/libcuda.so: cannot open shared object file")
    other = str(libraries.gpu_aware)
    assert refused(JAXMPI_LIBCUDA=other) == f"send: the CUDA driver is too old: {other} has no cuStreamGetCtx"
    assert refused(JAXMPI_PINNED_BYTES="64k") == "send: JAXMPI_PINNED_BYTES=64k is not a number of bytes"


@pytest.mark.runs_mpi
def test_sanitizer_compares_before_data_moves(mpi: Environment, libraries: Libraries, tmp_path: Path) -> None:
    variables = {"JAXMPI_SANITIZE": "1", "JAXMPI_SANITIZE_OPTIONS": f"log_dir={tmp_path}"}
    job = run(mpi, 2, DISAGREEMENT.format(programs=str(PROGRAMS)), libraries.variables() | variables)
    assert job.status == 66, job.text
    assert "JS105" in job.text
    assert "went on" not in job.text


@pytest.mark.runs_mpi
def test_support_is_what_there_is(mpi: Environment, libraries: Libraries, tmp_path: Path) -> None:
    """JAX must have a backend for CUDA, which is not started to find out, and the driver must be there."""
    program = SUPPORT.format(folder=str(tmp_path), driver=str(libraries.driver))

    def support(**variables: str) -> str:
        job = run(mpi, 1, program, variables)
        assert "started: False" in job.text, job.text
        assert "mapped: False" in job.text, job.text
        return job.text.split("support: ")[1].split()[0]

    assert support(JAXMPI_LIBCUDA=str(libraries.driver)) == "False"
    backend = tmp_path / "jax_plugins" / "xla_cuda12"
    backend.mkdir(parents=True)
    (backend / "__init__.py").write_text("raise RuntimeError('started')")
    assert support(JAXMPI_LIBCUDA=str(libraries.driver)) == "True"
    assert support(JAXMPI_LIBCUDA="/no/libcuda.so") == "False"


@pytest.mark.runs_mpi
def test_operations_on_the_gpu_have_their_lines(mpi: Environment) -> None:
    """The call that XLA gets carries the number of the program's line for the sanitizer."""
    assert "named: True" in run(mpi, 1, LOWERED, {"JAXMPI_SANITIZE": "1"}).text
