"""Links between hosts that are pulled, and monitors that die or stand still, at a random moment.

The program has phases in which ranks wait for seconds: a monitor that no longer sees the others must not take that for
a deadlock. By default one of them runs once; with ``-m soak`` each runs 50 times on each MPI library.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import product

import pytest
from _pytest.mark import ParameterSet
from sanitizer.environments import LIBRARIES, environment_of
from sanitizer.harness import Job, Result, wait_for

from .hosts import Host, plug, pull
from .jobs import start_on_two
from .test_failures import complaints, monitor_of

pytestmark = pytest.mark.runs_mpi

REPETITIONS = 50
LATEST = 4.0  # seconds after the begin
SHORT, LONG = 22, 46  # seconds that the program takes
LEAF_LOST = "has not responded for"
ROOT_LOST = "from now on only the ranks of host2 are compared with each other: the monitor of the first host"
PROGRAM = """
import time
from mpi4py import MPI

world = MPI.COMM_WORLD
last = world.rank == world.size - 1
world.Barrier()
print("begun", flush=True)
begun = world.bcast(time.time(), root=0)
turn = 0
while world.bcast(time.time(), root=0) < begun + {seconds}:
    turn += 1
    if turn % 20 == 0 and last:
        time.sleep(4)
    time.sleep(0.05)
    assert world.allreduce(1) == world.size
    if turn % 30 == 0:
        if last:
            time.sleep(4)
            world.send(turn, dest=0)
        elif world.rank == 0:
            assert world.recv(source=world.size - 1) == turn
"""
Links = tuple[list[Host], dict[str, str]]


@contextmanager
def pulled(link: str) -> Iterator[None]:
    """Without this link meanwhile."""
    pull(link)
    try:
        yield
    finally:
        plug(link)


def finished(job: Job) -> Result:
    return job.finish(LONG + 30, patience=8)


def without_link(job: Job, hosts: list[Host]) -> Result:
    with pulled(hosts[1].links[1]):
        return finished(job)


def without_link_for_a_while(job: Job, hosts: list[Host]) -> Result:
    """The program takes so long that the hosts are compared again before it ends."""
    with pulled(hosts[1].links[1]):
        time.sleep(5)
    return finished(job)


def killed(host: str) -> Callable[[Job, list[Host]], Result]:
    def do(job: Job, _: list[Host]) -> Result:
        os.kill(monitor_of(job, host), signal.SIGKILL)
        return finished(job)

    return do


def stopped(host: str) -> Callable[[Job, list[Host]], Result]:
    def do(job: Job, _: list[Host]) -> Result:
        monitor = monitor_of(job, host)
        os.kill(monitor, signal.SIGSTOP)
        time.sleep(30)
        with suppress(ProcessLookupError):
            os.kill(monitor, signal.SIGCONT)
        return finished(job)

    return do


@dataclass(frozen=True, slots=True)
class Disturbance:
    """What happens, how long the program takes, and which of the two lines is printed, once; None: one may be."""

    name: str
    happens: Callable[[Job, list[Host]], Result]
    seconds: int
    leaf_lost: bool | None
    root_lost: bool


LINKS = (
    Disturbance("link pulled", without_link, SHORT, leaf_lost=True, root_lost=True),
    Disturbance("link pulled for 5 s", without_link_for_a_while, SHORT, leaf_lost=None, root_lost=False),
)
MONITORS = (
    Disturbance("leaf killed", killed("host2"), SHORT, leaf_lost=True, root_lost=False),
    Disturbance("root killed", killed("host1"), SHORT, leaf_lost=False, root_lost=True),
    Disturbance("leaf stopped for 30 s", stopped("host2"), LONG, leaf_lost=True, root_lost=False),
    Disturbance("root stopped for 30 s", stopped("host1"), LONG, leaf_lost=True, root_lost=True),
)


def cells(disturbances: Sequence[Disturbance]) -> list[ParameterSet]:
    """Every disturbance, on each library, several times; by default the first of the links, once."""
    found: list[ParameterSet] = []
    for one, library, at in product(disturbances, LIBRARIES, range(REPETITIONS)):
        name = f"{one.name}, {library}, {at}".replace(" ", "_")
        by_default = one is LINKS[0] and not found
        found.append(pytest.param(one, library, at, id=name, marks=[] if by_default else [pytest.mark.soak]))
    return found


def started(library: str, links: Links, sanitize: str = "1", seconds: int = SHORT) -> Job:
    """The program, on two hosts, of which the monitors have met."""
    hosts, variables = links
    options = {"interface": "eth1", "attach_seconds": 60}
    job = start_on_two(
        environment_of(library), (hosts[0], variables), PROGRAM.format(seconds=seconds), 4,
        options=options, sanitize=sanitize,
    )  # fmt: skip
    said = "checking 4 ranks" if sanitize == "1" else ""
    try:
        wait_for(lambda: job.out.text.count("begun") == 4 and said in job.err.text, 90)
    except AssertionError:
        pytest.fail(f"the job has not begun: {job.finish(0)}")
    return job


@pytest.mark.parametrize(("disturbance", "library", "repetition"), cells(LINKS))
def test_the_job_goes_on_without_a_link(
    disturbance: Disturbance, library: str, repetition: int, two_with_links: Links
) -> None:
    goes_on(disturbance, library, repetition, two_with_links)


@pytest.mark.parametrize(("disturbance", "library", "repetition"), cells(MONITORS))
def test_the_job_goes_on_without_a_monitor(
    disturbance: Disturbance, library: str, repetition: int, two_with_links: Links
) -> None:
    goes_on(disturbance, library, repetition, two_with_links)


def goes_on(disturbance: Disturbance, library: str, repetition: int, two_with_links: Links) -> None:
    job = started(library, two_with_links, seconds=disturbance.seconds)
    time.sleep(random.Random(f"{disturbance.name} {library} {repetition}").uniform(0, LATEST))
    result = disturbance.happens(job, two_with_links[0])
    assert not complaints(result), str(result)
    lost = [line for line in result.said if LEAF_LOST in line and ROOT_LOST not in line]
    alone = [line for line in result.said if ROOT_LOST in line]
    if disturbance.leaf_lost is None:  # it is seen, or not, and found again
        assert len(lost) == result.err.count("responds again") < 2, str(result)
    else:
        assert len(lost) == disturbance.leaf_lost, str(result)
    assert len(alone) == disturbance.root_lost, str(result)


@pytest.mark.soak
@pytest.mark.parametrize("library", LIBRARIES)
def test_without_the_link_of_mpi(library: str, two_with_links: Links) -> None:
    """What comes of the job is what comes of it without the sanitizer, which does not take it for a deadlock."""
    outcomes = []
    for sanitize in ("0", "1"):
        job = started(library, two_with_links, sanitize)
        time.sleep(1)
        with pulled(two_with_links[0][1].links[0]):
            result = job.finish(45, patience=8)
        time.sleep(2)
        outcomes.append(result.outcome)
        assert not result.errors, str(result)
    assert outcomes[0] == outcomes[1]
