"""Items of objects of classes that a program derives from those of a library."""

from __future__ import annotations

from jaxmpi_lint import testing
from jaxmpi_lint.findings.diagnostics import Confidence

SETTINGS = """
from mpi4py import MPI

class Settings(dict):
    pass

settings = Settings()
settings["comm"] = MPI.COMM_WORLD
settings["rank"] = MPI.COMM_WORLD.rank
if settings["rank"] == 0:
    settings["comm"].send(1, dest=1)
elif settings["rank"] == 1:
    settings["comm"].recv(source=0{tag})
"""
TABLE = """
import pandas as pd
from mpi4py import MPI

class Table(pd.DataFrame):
    pass

comm = MPI.COMM_WORLD
if comm.rank == 0:
    table = Table()
    table["a"] = 1
    table[["a", "b"]] = 2
    table[table["a"] > 1] = 3
    print(table[["a"]], table[0:1])
    comm.send(1, dest=1)
elif comm.rank == 1:
    comm.recv(source=0, tag=7)
"""


def _shown(text: str) -> list[str]:
    return [one.code for one in testing.lint({"main.py": text}) if one.confidence is not Confidence.LOW]


def test_what_is_stored_under_a_key_is_read_again() -> None:
    assert _shown(SETTINGS.format(tag="")) == []
    assert _shown(SETTINGS.format(tag=", tag=7")) == ["JM314"]


def test_a_program_is_followed_past_other_indices() -> None:
    assert _shown(TABLE) == ["JM314"]
