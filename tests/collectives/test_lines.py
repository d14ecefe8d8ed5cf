"""What a report says of operations inside compiled functions."""

from __future__ import annotations

from pathlib import Path

import pytest
from jobs import run
from sanitizer.environments import Environment

PROGRAM = """\
import jax
import jax.numpy as jnp
from mpi4py import MPI
from {library} import allreduce, bcast

rank = MPI.COMM_WORLD.rank


@jax.jit
def total(x):
    return jax.lax.fori_loop(0, 2, lambda _, y: allreduce(y, op=MPI.SUM), x)


@jax.jit
def step(x):
    return bcast(x, root=rank)


print(step(total(jnp.ones(3))))
"""


@pytest.mark.runs_mpi
@pytest.mark.parametrize(
    ("library", "options", "name"),
    [("jaxmpi_lint.runtime.collectives", "backend=mpi4jax", "collectives"), ("mpi4jax", "backend=core", "mpi4jax")],
)
def test_a_report_names_the_line_and_the_array(
    mpi: Environment, tmp_path: Path, library: str, options: str, name: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(library=library))
    job = run(mpi, 2, program, {"JAXMPI_SANITIZE": "1", "JAXMPI_SANITIZE_OPTIONS": f"log_dir={tmp_path}:{options}"})
    assert job.status == 66, job.text
    assert f"JS103 error: rank 0 passes root=0 to {name}.bcast; rank 1 passes root=1 to {name}.bcast" in job.text
    assert "program.py:16 in step, on float32[3]" in job.text
    assert f"program.py:11 {name}.allreduce(op=SUM), 3 x float32" in job.text
