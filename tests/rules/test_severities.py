"""What is told apart by its weight alone: wrong numbers, and what is named wrongly."""

from __future__ import annotations

import pytest

from jaxmpi_lint import testing
from jaxmpi_lint.findings.diagnostics import Severity

HEAD = """
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
ints = np.arange(4)
more = np.empty(4 * comm.size, dtype=int)
window = MPI.Win.Create(more, comm=comm)
"""

WHOLE = (
    "comm.Allgather([ints, MPI.INT], [more, MPI.INT])",
    "comm.Send([ints, MPI.INT], dest=1)",
    "comm.Recv([ints, MPI.INT], source=0)",
    "comm.Sendrecv([ints, MPI.INT], dest=1, recvbuf=[ints.copy(), MPI.INT], source=0)",
    "comm.Bcast([ints, MPI.INT], root=0)",
    "window.Put([ints, MPI.DOUBLE], 1)",
)
IN_PART = (
    "comm.Allgather([ints, MPI.INT], [more, MPI.SHORT])",
    "comm.Gatherv([ints, MPI.INT], [more, [4] * comm.size, MPI.INT])",
    "comm.Send([ints, 4, MPI.INT], dest=1)",
    "comm.Bcast([ints.astype('int32'), MPI.DOUBLE], root=0)",
)
OF_SMALL_INTEGERS = (
    "comm.Allreduce([ints, MPI.INT], [ints.copy(), MPI.INT])",
    "window.Accumulate([ints, MPI.INT], 1)",
    "comm.Allreduce([ints, MPI.DOUBLE], [ints.copy(), MPI.DOUBLE])",
    "comm.Allreduce([ints, MPI.DOUBLE], [ints.copy(), MPI.DOUBLE], op=MPI.MAX)",
    "window.Accumulate([ints, MPI.DOUBLE], 1)",
)
REDUCTIONS = (
    "comm.Allreduce([ints, MPI.DOUBLE], [ints.copy(), MPI.DOUBLE], op=MPI.PROD)",
    "comm.Allreduce([ints.astype('int32'), MPI.DOUBLE], [ints.astype('int32'), MPI.DOUBLE])",
    "comm.Allreduce([ints.astype(float), MPI.FLOAT], [ints.astype(float), MPI.FLOAT])",
    "comm.Allreduce([ints, 4, MPI.INT], [ints.copy(), 4, MPI.INT])",
    "window.Accumulate([ints, MPI.DOUBLE], 1, op=MPI.PROD)",
)


@pytest.mark.parametrize("line", WHOLE)
def test_a_transfer_of_all_bytes_under_a_wrong_datatype_is_information(line: str) -> None:
    assert severities(line) == [Severity.INFO]


@pytest.mark.parametrize("line", IN_PART)
def test_a_transfer_that_may_lose_data_under_a_wrong_datatype_is_a_warning(line: str) -> None:
    assert severities(line) == [Severity.WARNING]


@pytest.mark.parametrize("line", OF_SMALL_INTEGERS)
def test_a_reduction_that_is_right_for_small_integers_is_a_warning(line: str) -> None:
    assert severities(line) == [Severity.WARNING]


@pytest.mark.parametrize("line", REDUCTIONS)
def test_a_reduction_under_a_wrong_datatype_is_an_error(line: str) -> None:
    assert severities(line) == [Severity.ERROR]


def severities(line: str) -> list[Severity]:
    """The weight of each datatype that differs from its array."""
    found = testing.lint({"program.py": HEAD + line + "\n"})
    return [diagnostic.severity for diagnostic in found if diagnostic.code == "JM205"]
