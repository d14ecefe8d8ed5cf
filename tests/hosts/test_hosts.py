"""A job on two hosts: the ranks of each host are compared, whatever folders the hosts share."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sanitizer.environments import Environment

from .hosts import Host

pytestmark = [
    pytest.mark.runs_mpi,
    pytest.mark.parametrize("two", [False, True], ids=["shared tmp", "own tmp"], indirect=True),
]

SECONDS = 60
PROGRAM = """
import sys
from mpi4py import MPI

world = MPI.COMM_WORLD
host = world.Split_type(MPI.COMM_TYPE_SHARED)
assert host.size == 2 and world.allreduce(1) == 4
if len(sys.argv) > 1 and world.rank >= 2:
    host.bcast(1, root=host.rank)
world.Barrier()
"""
LAUNCHERS = {
    "openmpi": ("-x", "JAXMPI_SANITIZE", "--map-by", "ppr:2:node:oversubscribe", "--host", "host1:2,host2:2"),
    "mpich": ("-hosts", "host1,host2", "-ppn", "2"),
}


def job(
    mpi: Environment, two: tuple[Host, dict[str, str]], folder: Path, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Run the program on two ranks of each host."""
    first, variables = two
    (folder / "program.py").write_text(PROGRAM)
    environment = {**mpi.variables(), **variables, "JAXMPI_SANITIZE": "1"}
    environment.pop("PRTE_MCA_rmaps_default_mapping_policy", None)
    command = mpi.launch(4, *LAUNCHERS[mpi.library], mpi.python, str(folder / "program.py"), *arguments)
    return subprocess.run(
        [*first.entering, "sh", "-c", 'cd "$0" && exec "$@"', str(folder), *command],
        env=environment, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that all hosts see."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        yield Path(name)


def test_each_host_is_checked(mpi: Environment, two: tuple[Host, dict[str, str]], folder: Path) -> None:
    done = job(mpi, two, folder)
    assert done.returncode == 0, done
    assert "NOT CHECKING" not in done.stderr, done
    for host in ("host1", "host2"):
        assert f"on {host}; not checked: agreement with the 2 ranks on other hosts" in done.stderr, done


def test_error_on_one_host_is_found_there(mpi: Environment, two: tuple[Host, dict[str, str]], folder: Path) -> None:
    done = job(mpi, two, folder, "wrong")
    assert done.returncode == 66, done
    assert "rank 2 passes root=0 to bcast; rank 3 passes root=1 to bcast" in done.stderr, done
    assert [path.name.endswith(".host2") for path in folder.glob("jaxmpi-sanitize.*")] == [True], done
