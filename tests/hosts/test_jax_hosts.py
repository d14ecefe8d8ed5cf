"""JAX processes on two hosts: what differs between the hosts is reported with the lines of both."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from .hosts import Host

pytestmark = [pytest.mark.runs_jax, pytest.mark.soak]

SECONDS = 120
PROGRAM = """
import os, sys
import jax

index, is_wrong = int(sys.argv[1]), sys.argv[2] == "wrong"
jax.distributed.initialize("host1:12345", num_processes=4, process_id=index)

from jax.experimental import multihost_utils

total = multihost_utils.process_allgather(jax.numpy.ones(2) * index).sum()
multihost_utils.sync_global_devices("evaluate" if is_wrong and index >= 2 else "train")  # here
os.write(1, f"index {index}: {total}\\n".encode())
"""
START = """
for index in 0 1; do {run} $index {how} & done
for index in 2 3; do $PRTE_MCA_plm_ssh_agent host2 "{run} $index {how}" & done
wait
"""


def job(two: tuple[Host, dict[str, str]], how: str) -> subprocess.CompletedProcess[str]:
    """Run two processes on each host."""
    first, variables = two
    folder = os.path.dirname(variables["PRTE_MCA_plm_ssh_agent"])
    program = os.path.join(folder, "program.py")
    with open(program, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    run = f"env JAX_PLATFORMS=cpu JAXMPI_SANITIZE=1 {sys.executable} {program}"
    return subprocess.run(
        [*first.entering, "sh", "-c", START.format(run=run, how=how)], env={**os.environ, **variables},
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip


def test_right_job_is_left_alone(two: tuple[Host, dict[str, str]]) -> None:
    done = job(two, "right")
    for index in range(4):
        assert f"index {index}: 12.0\n" in done.stdout, done
    assert "checking the launches of 4 JAX processes on 2 hosts" in done.stderr, done
    assert done.stderr.count("jaxmpi-sanitize: ") == 1, done


def test_names_of_both_hosts_are_told(two: tuple[Host, dict[str, str]]) -> None:
    done = job(two, "wrong")
    line = next(number for number, text in enumerate(PROGRAM.splitlines(), 1) if text.endswith("# here"))
    for ranks, name in (("0 and 1", "train"), ("2 and 3", "evaluate")):
        assert f"ranks {ranks} call sync_global_devices('{name}') at " in done.stderr, done
    assert f"program.py:{line}" in done.stderr, done
