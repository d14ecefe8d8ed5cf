"""Who died first: what the ends of processes prove, and what they do not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from jaxmpi_lint.runtime.judging.deaths import Death, Deaths, Verdict, asks_first, weigh

SEGV, ABRT, KILL, TERM = -11, -6, -9, -15


def death(rank: int, at: float, status: int | None, ahead: bool = False) -> Death:
    return Death(rank, at, ahead, at + (0.01 if status in (KILL, TERM) else 0.004), status)


def by_itself(*ranks: int) -> Verdict:
    return Verdict(frozenset(ranks), True)


def unknown(*ranks: int) -> Verdict:
    return Verdict(frozenset(ranks), False)


OUTSIDE = Verdict(frozenset({0, 1, 2}), False, outside=True)

CASES = {
    "a fault, the others killed": ([death(1, 5.0, SEGV), death(0, 5.0, KILL), death(2, 5.1, KILL)], by_itself(1)),
    "an exit, the others killed": ([death(1, 5.0, 3), death(0, 5.004, KILL), death(2, 5.0, KILL)], by_itself(1)),
    "an exit, noticed late but over first": (
        [death(0, 5.0, KILL), death(1, 5.005, 3), death(2, 5.006, KILL)],
        by_itself(1),
    ),
    "an exit of those that were asked": ([death(0, 5.0, TERM), death(1, 5.001, 1), death(2, 5.001, TERM)], unknown(1)),
    "a fault, all seen late": ([death(0, 5.0, TERM), death(1, 5.0, SEGV), death(2, 5.0, TERM)], by_itself(1)),
    "a fault, noticed late": ([death(0, 5.0, KILL), death(1, 5.02, SEGV), death(2, 5.006, KILL)], by_itself(1)),
    "killed, seen in time": ([death(1, 5.0, KILL, True), death(0, 5.004, KILL), death(2, 5.01, KILL)], by_itself(1)),
    "killed, the others asked": ([death(1, 5.0, KILL, True), death(0, 5.2, TERM), death(2, 5.2, TERM)], by_itself(1)),
    "killed, not seen in time": ([death(1, 5.0, KILL), death(0, 5.0, KILL), death(2, 5.01, KILL)], unknown(0, 1)),
    "asked alone": ([death(1, 5.0, TERM, True), death(0, 5.2, TERM), death(2, 5.2, TERM)], by_itself(1)),
    "asked together": ([death(1, 5.0, TERM, True), death(0, 5.004, TERM), death(2, 5.2, KILL)], OUTSIDE),
    "asked, with a handler": ([death(1, 5.0, 143, True), death(0, 5.02, KILL), death(2, 5.02, KILL)], OUTSIDE),
    "asked, one fails over it": ([death(0, 5.0, TERM), death(1, 5.01, ABRT), death(2, 5.01, TERM)], OUTSIDE),
    "killed, one fails over it": (
        [death(2, 5.0, KILL, True), death(1, 5.03, ABRT), death(0, 5.2, TERM)],
        by_itself(2),
    ),
    "two faults at once": ([death(1, 5.0, SEGV), death(2, 5.001, SEGV), death(0, 5.2, TERM)], by_itself(1, 2)),
    "nothing known": ([], unknown(0, 1, 2)),
}


@pytest.mark.parametrize(("deaths", "verdict"), CASES.values(), ids=CASES)
def test_verdict(deaths: list[Death], verdict: Verdict) -> None:
    assert weigh(deaths, frozenset({0, 1, 2}), None) == verdict


class Ended(Deaths):
    """Processes that ended as told."""

    def __init__(self, *ended: Death) -> None:
        self.launcher_asks = False
        self._ended = ended

    def seen(self) -> list[Death]:
        return list(self._ended)

    def launcher_ended(self) -> float | None:
        return None


EXITS = {
    "an exit, the others killed": ([death(1, 5.0, 3), death(0, 5.1, KILL), death(2, 5.1, KILL)], by_itself(1)),
    "an exit, the others asked at once": ([death(1, 5.0, 3), death(0, 5.01, TERM), death(2, 5.01, TERM)], OUTSIDE),
    "an exit long before": ([death(1, 1.0, 0), death(0, 5.0, TERM), death(2, 5.0, TERM)], OUTSIDE),
}


@pytest.mark.parametrize(("deaths", "verdict"), EXITS.values(), ids=EXITS)
def test_exit_for_which_a_launcher_ends_the_job(deaths: list[Death], verdict: Verdict) -> None:
    found = Ended(*deaths).verdict_with_exits(frozenset({0, 2}), [1])
    assert replace(found, first=frozenset(found.first | {1}) if found.outside else found.first) == verdict


def test_job_killed_with_its_launcher_has_no_culprit() -> None:
    deaths = [death(1, 5.0, KILL, True), death(0, 5.004, KILL), death(2, 5.004, KILL)]
    assert weigh(deaths, frozenset({0, 1, 2}), 4.999) == OUTSIDE
    assert weigh(deaths, frozenset({0, 1, 2}), 5.1) == by_itself(1)


def test_ranks_that_the_launcher_would_have_asked_first_were_killed_by_others() -> None:
    everybody = frozenset({0, 1, 2})
    together = [death(0, 5.0, KILL, True), death(1, 5.01, KILL), death(2, 5.02, KILL)]
    assert weigh(together, everybody, None, asks=True) == OUTSIDE
    two = [death(0, 5.0, KILL, True), death(1, 5.01, KILL), death(2, 5.02, TERM)]
    assert weigh(two, everybody, None, asks=True) == unknown(0, 1)
    one = [death(0, 5.0, KILL, True), death(1, 5.25, TERM), death(2, 6.26, KILL)]
    assert weigh(one, everybody, None, asks=True) == by_itself(0)
    fault = [death(0, 5.0, SEGV, True), death(1, 5.01, KILL), death(2, 5.02, TERM)]
    assert weigh(fault, everybody, None, asks=True) == by_itself(0)


def test_launcher_is_known_from_the_name_of_the_job() -> None:
    assert asks_first("pmix:prterun-vm-12477@1") and asks_first("pmix:prte-login-3@2")
    assert not asks_first("pmix:slurm.pmix.71.0") and not asks_first("launcher:12:99") and not asks_first("")


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux")
@pytest.mark.jobs
def test_ends_of_processes_are_seen_with_their_status() -> None:
    pytest.importorskip("jaxmpi_lint.runtime._native")
    ends = ["import os; os._exit(3)", "import os; os.kill(os.getpid(), 9)"]
    children = [subprocess.Popen([sys.executable, "-c", f"input(); {end}"], stdin=subprocess.PIPE) for end in ends]
    deaths = Deaths([(rank, child.pid) for rank, child in enumerate(children)])
    for child in children:
        time.sleep(0.1)
        child.communicate(b"\n")
    assert deaths.statuses({0, 1}, 5) == {0: 3, 1: -signal.SIGKILL}
    assert deaths.ending() == {0, 1}
    assert deaths.verdict({0, 1}).first == {0}
