"""The same programs with their arrays on an NVIDIA GPU, where there is one; all ranks share it if there are fewer."""

from __future__ import annotations

import subprocess

import pytest
from jobs import passes, run
from sanitizer.environments import Environment, cannot_run, has

BACKENDS = ("jax_cuda13_plugin", "jax_cuda12_plugin")
ON_GPU = {"JAX_PLATFORMS": "cuda,cpu", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
PROGRAMS = ("results", "order", "mistakes", "batches", "gradients")
WHERE = """
import jax, jax.numpy as jnp
from mpi4py import MPI
import jaxmpi_lint.runtime.collectives as core
total = jax.jit(lambda x: core.allreduce(x, MPI.SUM))(jnp.ones(3))
print("total", float(total[0]), total.devices().pop().platform, core.has_cuda_support())
"""
DISAGREEMENT = """
import jax.numpy as jnp
from mpi4py import MPI
import jaxmpi_lint.runtime.collectives as core
core.allreduce(jnp.ones(4 + MPI.COMM_WORLD.rank), MPI.SUM)
print("went on")
"""


@pytest.fixture
def gpu(mpi: Environment) -> Environment:
    """An environment whose JAX computes on an NVIDIA GPU."""
    if not has_gpu():
        pytest.skip("needs an NVIDIA GPU")
    if not any(has(mpi.prefix, backend) for backend in BACKENDS):
        cannot_run(f"the environment with {mpi} has no jax for CUDA: install jax[cuda12] or jax[cuda13]")
    return mpi


def has_gpu() -> bool:
    """Whether the driver finds one."""
    try:
        asked = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return asked.returncode == 0 and "GPU 0" in asked.stdout


@pytest.mark.runs_mpi
def test_arrays_are_on_the_gpu(gpu: Environment) -> None:
    job = run(gpu, 2, WHERE, ON_GPU)
    assert job.status == 0, job.text
    assert job.text.count("total 2.0 gpu True") == 2, job.text


@pytest.mark.runs_mpi
@pytest.mark.parametrize("ranks", [2, pytest.param(1, marks=pytest.mark.soak), pytest.param(3, marks=pytest.mark.soak)])
@pytest.mark.parametrize("program", PROGRAMS)
def test_checks_pass(gpu: Environment, program: str, ranks: int) -> None:
    passes(gpu, ranks, program, ON_GPU)


@pytest.mark.runs_mpi
def test_checks_pass_under_the_sanitizer(gpu: Environment) -> None:
    passes(gpu, 2, "results", ON_GPU | {"JAXMPI_SANITIZE": "1"})


@pytest.mark.runs_mpi
def test_sanitizer_compares_before_data_moves(gpu: Environment) -> None:
    job = run(gpu, 2, DISAGREEMENT, ON_GPU | {"JAXMPI_SANITIZE": "1"})
    assert job.status == 66, job.text
    assert "JS105" in job.text
    assert "went on" not in job.text
