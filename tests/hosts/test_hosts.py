"""A job on two hosts: the ranks of each host are compared, whatever folders the hosts share."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from sanitizer.environments import Environment, environment_of

from .conftest import Hosts

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
TIMED = """
import sys, time
import mpi4py
mpi4py.rc.initialize = False
from mpi4py import MPI

begun = time.monotonic()
MPI.Init()
rank, entered = MPI.COMM_WORLD.rank, time.monotonic()
MPI.COMM_WORLD.Barrier()
ending = time.monotonic()
MPI.Finalize()
sys.stdout.write(f"{rank} {entered - begun:.1f} {time.monotonic() - ending:.1f}\\n")
"""
ONLY_HOST1 = '[ "$(hostname)" = host1 ] || unset JAXMPI_SANITIZE; exec "$@"'
LAUNCHERS = {
    "openmpi": ("-x", "JAXMPI_SANITIZE", "--map-by", "ppr:2:node:oversubscribe", "--host", "host1:2,host2:2"),
    "mpich": ("-hosts", "host1,host2", "-ppn", "2"),
}


def job(
    mpi: Environment,
    two: Hosts,
    folder: Path,
    *arguments: str,
    variables: Mapping[str, str] | None = None,
    forwarded: bool = True,
    command: Sequence[str] = (),
) -> subprocess.CompletedProcess[str]:
    """Run the program, or a command, on two ranks of each host; not ``forwarded``: one host lacks the variables."""
    first, needed = two
    (folder / "program.py").write_text(PROGRAM)
    environment = {**mpi.variables(), **needed, "JAXMPI_SANITIZE": "1", **(variables or {})}
    environment.pop("PRTE_MCA_rmaps_default_mapping_policy", None)
    words = LAUNCHERS[mpi.library] if forwarded else LAUNCHERS[mpi.library][2:]
    names = [word for name in variables or {} for word in ("-x", name)] if mpi.library == "openmpi" else []
    started = command or [mpi.python, str(folder / "program.py"), *arguments]
    return subprocess.run(
        [*first.entering, "sh", "-c", 'cd "$0" && exec "$@"', str(folder), *mpi.launch(4, *words, *names, *started)],
        env=environment, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that all hosts see."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        yield Path(name)


def test_ranks_of_both_hosts_are_compared(mpi: Environment, two: Hosts, folder: Path) -> None:
    done = job(mpi, two, folder)
    assert done.returncode == 0, done
    assert "NOT CHECKING" not in done.stderr, done
    assert done.stderr.count("checking 4 ranks") == 1, done
    assert "on 2 hosts (host1, host2); not checked: one-sided accesses" in done.stderr, done
    assert "of 4 ranks checked: no findings" in done.stderr, done


def test_error_on_one_host_ends_both(mpi: Environment, two: Hosts, folder: Path) -> None:
    done = job(mpi, two, folder, "wrong")
    assert done.returncode == 66, done
    assert "rank 2 passes root=0 to bcast; rank 3 passes root=1 to bcast" in done.stderr, done
    assert done.stderr.count("JS103 error") == 1, done
    kept = list(folder.glob("jaxmpi-sanitize.*"))
    assert sorted(path.name.endswith(".host2") for path in kept) == [False, True], done
    assert all((path / "ledger.gz").is_file() for path in kept), done


def test_without_sockets_each_host_is_checked(mpi: Environment, two: Hosts, folder: Path) -> None:
    """pyzmq is optional: a module without it stands in for an environment that lacks it."""
    (folder / "lacking").mkdir()
    (folder / "lacking" / "zmq.py").write_text("raise ImportError('not installed')")
    done = job(mpi, two, folder, "wrong", variables={"PYTHONPATH": str(folder / "lacking")})
    assert done.returncode == 66, done
    for host in ("host1", "host2"):
        apart = f"on {host}; not checked: agreement with the 2 ranks on other hosts (pyzmq is not installed"
        assert apart in done.stderr, done
    assert "rank 2 passes root=0 to bcast; rank 3 passes root=1 to bcast" in done.stderr, done


def test_host_without_the_sanitizer_is_named(two: Hosts, folder: Path) -> None:
    """Hydra always forwards the whole environment."""
    done = job(
        environment_of("openmpi"),
        two,
        folder,
        forwarded=False,
        variables={"JAXMPI_SANITIZE_OPTIONS": "attach_seconds=2"},
    )
    assert done.returncode == 0, done
    assert done.stderr.count("checking") == 1, done
    assert "(the host of rank 2 did not respond: is JAXMPI_SANITIZE set there, with the same version?)" in done.stderr


def test_hosts_meet_by_files(two: Hosts, folder: Path) -> None:
    """Where MPI has no name service; the launcher must give the job a name, which Hydra does not."""
    done = job(environment_of("openmpi"), two, folder, variables={"JAXMPI_SANITIZE_OPTIONS": "hosts=files"})
    assert done.returncode == 0, done
    assert "checking 4 ranks" in done.stderr, done
    assert not list(folder.glob(".jaxmpi-sanitize.*")), done


@pytest.mark.parametrize("hosts", ["off", "auto"])
def test_hosts_that_need_not_meet_wait_for_none(mpi: Environment, two: Hosts, folder: Path, hosts: str) -> None:
    """The second host is without the sanitizer: the first one waits for it in MPI_Init, unless it need not."""
    (folder / "timed.py").write_text(TIMED)
    waits = 10
    variables = {"JAXMPI_SANITIZE_OPTIONS": f"hosts={hosts}:attach_seconds={waits}"}
    wrapped = ["sh", "-c", ONLY_HOST1, "sh", mpi.python, str(folder / "timed.py")]
    done = job(mpi, two, folder, variables=variables, command=wrapped)
    assert done.returncode == 0, done
    assert done.stderr.count("checking 2 ranks") == 1, done
    times = {int(rank): (float(begin), float(end)) for rank, begin, end in map(str.split, done.stdout.splitlines())}
    assert sorted(times) == [0, 1, 2, 3], done
    assert (times[0][0] >= waits) == (hosts == "auto"), done
    assert max(end for _, end in times.values()) < waits, done


def test_hosts_need_not_meet(mpi: Environment, two: Hosts, folder: Path) -> None:
    done = job(mpi, two, folder, variables={"JAXMPI_SANITIZE_OPTIONS": "hosts=off"})
    assert done.returncode == 0, done
    assert done.stderr.count("agreement with the 2 ranks on other hosts (hosts=off)") == 2, done
