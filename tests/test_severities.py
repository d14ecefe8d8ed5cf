"""What is told apart by its weight alone: harm, and what is only written wrongly."""

from __future__ import annotations

import textwrap

import pytest

from jaxmpi_lint import testing
from jaxmpi_lint.diagnostics import Severity

HEAD = """
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
ints = np.arange(4)
more = np.empty(4 * comm.size, dtype=int)
small = np.empty(4 * comm.size, dtype=np.int32)
window = MPI.Win.Create(more, comm=comm)
"""

INTACT = (
    "comm.Allgather([ints, MPI.INT], [more, MPI.INT])",
    "comm.Gather([ints, MPI.INT], [more, MPI.INT], root=0)",
    "comm.Alltoall([more, MPI.INT], [more.copy(), MPI.INT])",
    "comm.Send([ints, MPI.INT], dest=1)",
    "comm.Recv([ints, MPI.INT], source=0)",
    "comm.Sendrecv([ints, MPI.INT], dest=1, recvbuf=[ints.copy(), MPI.INT], source=0)",
    "window.Put([ints, MPI.DOUBLE], 1)",
    "comm.Bcast([ints, MPI.INT], root=0)",
    "for index in open('list'):\n    print(index)\ncomm.Bcast([ints, MPI.INT], root=0)",
)
HARMED = (
    ("comm.Allgather([ints, MPI.INT], [small, MPI.INT])", Severity.WARNING),
    ("comm.Allgather([ints, MPI.INT], [more, MPI.SHORT])", Severity.WARNING),
    ("comm.Allgather([ints, MPI.INT], small)", Severity.WARNING),
    ("comm.Allgather([ints, 4, MPI.INT], [more, 4, MPI.INT])", Severity.WARNING),
    ("comm.Gatherv([ints, MPI.INT], [more, [4] * comm.size, MPI.INT])", Severity.WARNING),
    ("comm.Send([ints, 4, MPI.INT], dest=1)", Severity.WARNING),
    ("comm.Send([small, MPI.LONG], dest=1)", Severity.WARNING),
    ("comm.Allreduce([ints, MPI.INT], [ints.copy(), MPI.INT])", Severity.ERROR),
    ("window.Accumulate([ints, MPI.INT], 1)", Severity.ERROR),
    ("if comm.rank == 0:\n    comm.Bcast([ints, MPI.INT])\nelse:\n    comm.Bcast(ints)", Severity.WARNING),
)


@pytest.mark.parametrize("line", INTACT)
def test_bytes_that_arrive_are_information(line: str) -> None:
    assert severities(line) == [Severity.INFO]


@pytest.mark.parametrize(("text", "severity"), HARMED)
def test_bytes_that_do_not_arrive_are_more(text: str, severity: Severity) -> None:
    assert severities(text) == [severity]


def severities(text: str) -> list[Severity]:
    """The weight of each datatype that differs from its array."""
    found = testing.lint({"program.py": HEAD + textwrap.dedent(text) + "\n"})
    return [diagnostic.severity for diagnostic in found if diagnostic.code == "JM205"]
