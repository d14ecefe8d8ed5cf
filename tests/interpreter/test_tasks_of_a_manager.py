"""A manager that gives tasks to workers: of a number that is known or not, with answers of workers that fail."""

from __future__ import annotations

import itertools
import textwrap

import pytest

from jaxmpi_lint import testing
from jaxmpi_lint.findings.diagnostics import Confidence, Diagnostic

TASKS = {
    "few": "[number * 0.5 for number in range(3)]",
    "many": "[number * 0.5 for number in range(40)]",
    "pairs": "list(itertools.product(range(4), [0.1, 0.2]))",
    "file": "open('tasks.txt').read().split()",
}
MANAGERS = {
    "queue": """
        busy = 0
        for worker in range(1, size):
            if tasks:
                comm.send(tasks.pop(), dest=worker, tag=1)
                busy += 1
            else:
                comm.send(None, dest=worker, tag=2)
        while busy:
            results.append(comm.recv(source=MPI.ANY_SOURCE, tag=3, status=status))
            if tasks:
                comm.send(tasks.pop(), dest=status.Get_source(), tag=1)
            else:
                comm.send(None, dest=status.Get_source(), tag=2)
                busy -= 1
    """,
    "count": """
        sent = received = 0
        for worker in range(1, size):
            if sent < len(tasks):
                comm.send(tasks[sent], dest=worker, tag=1)
                sent += 1
        while received < len(tasks):
            results.append(comm.recv(source=MPI.ANY_SOURCE, tag=3, status=status))
            received += 1
            if sent < len(tasks):
                comm.send(tasks[sent], dest=status.Get_source(), tag=1)
                sent += 1
        for worker in range(1, size):
            comm.send(None, dest=worker, tag=2)
    """,
}
WORKERS = {
    "tag": """
        while True:
            task = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
            if status.Get_tag() == 2:
                break
            {handler}
            comm.send(result, dest=0, tag=3)
    """,
    "None": """
        while True:
            task = comm.recv(source=0, tag=MPI.ANY_TAG)
            if task is None:
                break
            {handler}
            comm.send(result, dest=0, tag=3)
    """,
}
ANSWERS = "try:\n    result = work(task)\nexcept FloatingPointError:\n    result = None"
SILENT = "try:\n    result = work(task)\nexcept FloatingPointError:\n    continue"
WORK = {
    "short": "return float(np.sum(np.arange(1000) * 0.5))",
    "long": "x = 0.5\nfor _ in range(300):\n    for _ in range(50):\n        x = x * (1 - x)\nreturn x",
}


@pytest.mark.parametrize("tasks", TASKS)
@pytest.mark.parametrize(("manager", "worker"), itertools.product(MANAGERS, WORKERS))
def test_right_programs(tasks: str, manager: str, worker: str) -> None:
    work = "long" if tasks in ("many", "pairs") else "short"
    assert _found(tasks, manager, worker, work, ANSWERS) == []


@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("manager", MANAGERS)
def test_no_answer_of_a_worker_that_fails(manager: str, work: str) -> None:
    assert any(found.code in ("JM311", "JM312") for found in _found("pairs", manager, "tag", work, SILENT))


def _found(tasks: str, manager: str, worker: str, work: str, handler: str) -> list[Diagnostic]:
    body = textwrap.dedent(WORKERS[worker]).strip().replace("{handler}", textwrap.indent(handler, " " * 4).strip())
    program = f"""import itertools

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
size = comm.Get_size()


def work(task):
{textwrap.indent(WORK[work], "    ")}


status = MPI.Status()
if comm.rank == 0:
    tasks = {TASKS[tasks]}
    results = []
{textwrap.indent(textwrap.dedent(MANAGERS[manager]).strip(), "    ")}
else:
{textwrap.indent(body, "    ")}
"""
    return [one for one in testing.lint({"main.py": program}) if one.confidence is not Confidence.LOW]
