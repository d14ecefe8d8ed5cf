"""The lines that a finding about an exception of one rank shows."""

from __future__ import annotations

from pathlib import Path

from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources.discovery import Tree

PROGRAM = """\
import os, sys
from mpi4py import MPI

def load(path):
    if os.path.isfile(path):
        return open(path).read()
    raise ValueError

comm = MPI.COMM_WORLD
{before}
data = None
if comm.rank == 0:
    {inside}
data = comm.bcast(data)
"""


def rows(before: str = "", inside: str = 'data = load("data.txt")') -> list[str]:
    """The lines that the finding says decide whether the exception is raised."""
    text = PROGRAM.format(before=before, inside=inside)
    contents = {"/example/main.py": text.encode()}
    request = Request(Settings(root=Path("/example")), (Path("/example/main.py"),), "/example", contents)
    found = [one for one in Engine(request, tree=Tree("/example")).lint().diagnostics if one.code == "JM103"]
    assert found
    lines = text.splitlines()
    return [lines[step.start.row - 1].strip() for one in found for step in one.related if "decides" in step.message]


def test_an_exit_of_all_ranks_before_decides_nothing() -> None:
    assert rows(before="if comm.size % 2:\n    raise ValueError") == []


def test_a_branch_inside_decides() -> None:
    assert rows(inside="if len(sys.argv) < 3:\n        raise ValueError") == ["if len(sys.argv) < 3:"]
