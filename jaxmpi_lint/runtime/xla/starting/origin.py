"""The origin of a process: its host, its launcher and its parent, which relate the processes of a job before they meet.

The launcher's variables alone prove nothing: JAX on some of the ranks is correct.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jaxmpi_lint.runtime.settings.environment import RANK_VARIABLES
from jaxmpi_lint.runtime.xla.checks.launcher import SIZE_VARIABLES

# What starts the ranks of a job and never starts one again; as the kernel cuts their names.
DAEMONS = frozenset(
    ("prterun", "prted", "orterun", "orted", "mpirun", "mpiexec", "mpiexec.hydra", "hydra_pmi_proxy", "slurmstepd")
)
_HERE_VARIABLES = ("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS")
_GENERATIONS = 16
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of one process."""

    host: str  # host name and namespaces: processes with equal texts are compared
    job: str  # identity of the launcher's job, "" without a launcher
    rank: int | None
    size: int
    all_here: bool  # the launcher started all its ranks on this host
    parent: str  # its process number and start, `name` in `/proc`
    daemon: bool  # the parent is the launcher's daemon, which does not restart a process
    program: str


@dataclass(frozen=True, slots=True)
class Started:
    """A process as the kernel shows it."""

    process: int
    parent: int
    start: int  # clock ticks since the boot
    name: str

    @property
    def key(self) -> str:
        """Text that identifies the process, even if its number is used again."""
        return f"{self.process}-{self.start}"

    @property
    def age(self) -> float:
        """Seconds since the start."""
        with open("/proc/uptime", encoding="ascii") as file:
            return float(file.read().split()[0]) - self.start / _TICKS


def started(process: int) -> Started | None:
    """A process, None if there is none of that number."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return None
    name, _, rest = text.partition("(")[2].rpartition(")")
    fields = rest.split()
    return None if fields[0] in "ZX" else Started(process, int(fields[1]), int(fields[19]), name)


def origin() -> Origin:
    """The origin of this process."""
    me = started(os.getpid())
    parent = started(os.getppid())
    job, rank, size, all_here = launched(os.environ, me)
    spaces = [os.stat(f"/proc/self/ns/{name}").st_ino for name in ("net", "pid")]
    return Origin(
        f"{socket.gethostname()} {spaces[0]} {spaces[1]}", job, rank, size, all_here,
        parent.key if parent else "", parent is not None and parent.name in DAEMONS, _program(),
    )  # fmt: skip


def launched(environment: Mapping[str, str], process: Started | None) -> tuple[str, int | None, int, bool]:
    """Job, rank, size, and whether all ranks are on this host, from the variables of a launcher; "" without one."""
    rank = _number(environment, *RANK_VARIABLES)
    size = _number(environment, *SIZE_VARIABLES)
    if rank is None or size is None:
        return "", None, 0, False
    job = ""
    if "PMIX_NAMESPACE" in environment:
        job = environment["PMIX_NAMESPACE"]
    elif "SLURM_STEP_ID" in environment:
        job = f"slurm {environment.get('SLURM_JOB_ID', '')}.{environment['SLURM_STEP_ID']}"
    elif process is not None:
        job = next((one.key for one in ancestors(process) if one.name in DAEMONS), "")
    here = _number(environment, *_HERE_VARIABLES) == size or environment.get("SLURM_STEP_NUM_NODES") == "1"
    return job, rank if job else None, size, here


def ancestors(process: Started) -> Iterator[Started]:
    """The parent of a process, its parent, and so on."""
    above = started(process.parent)
    for _ in range(_GENERATIONS):
        if above is None:
            return
        yield above
        above = started(above.parent)


def ranks_alive(own: Origin) -> dict[int, Started]:
    """The youngest process of each rank of the launcher's job on this host, as far as this user may see."""
    found: dict[int, Started] = {}
    for name in os.listdir("/proc"):
        if not name.isdigit() or (process := started(int(name))) is None:
            continue
        job, rank, _, _ = launched(_environment(name), process)
        if rank is None or job != own.job:
            continue
        if rank not in found or found[rank].start < process.start:
            found[rank] = process
    return found


def is_being_ended(process: int) -> bool:
    """Whether a signal waits for a process, which may be about to end."""
    try:
        with open(f"/proc/{process}/status", encoding="utf-8", errors="replace") as file:
            lines = [line.split() for line in file]
    except OSError:
        return True
    return any(line[0] in ("SigPnd:", "ShdPnd:") and int(line[1], 16) for line in lines if len(line) > 1)


def _environment(process: str) -> dict[str, str]:
    try:
        with open(f"/proc/{process}/environ", encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return {}
    return dict(line.split("=", 1) for line in text.split("\0") if "=" in line)


def _number(environment: Mapping[str, str], *names: str) -> int | None:
    text = next((environment[name] for name in names if name in environment), "")
    return int(text) if text.isdigit() else None


def _program() -> str:
    """The script or module that this interpreter runs, and its folder."""
    words = [word for word in sys.orig_argv[1:] if not word.startswith("-")]
    try:
        return f"{os.getcwd()}\0{words[0] if words else ''}"
    except OSError:  # the working directory has been removed
        return ""
