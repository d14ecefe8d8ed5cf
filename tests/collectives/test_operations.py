"""The operations as ranks see them: each program is a list of checks that all ranks carry out together."""

from __future__ import annotations

import pytest
from jobs import passes
from sanitizer.environments import Environment

PROGRAMS = ("results", "order", "mistakes", "batches", "gradients")
SOAK = [("results", 1), ("results", 3), ("order", 3), ("mistakes", 1), ("batches", 3), ("gradients", 3)]
CASES = [(program, 2) for program in PROGRAMS] + [pytest.param(*case, marks=pytest.mark.soak) for case in SOAK]


@pytest.mark.runs_mpi
@pytest.mark.parametrize(("program", "ranks"), CASES)
def test_checks_pass(mpi: Environment, program: str, ranks: int) -> None:
    passes(mpi, ranks, program, {})


@pytest.mark.runs_mpi
@pytest.mark.parametrize("program", ["results", pytest.param("gradients", marks=pytest.mark.soak)])
def test_checks_pass_under_the_sanitizer(mpi: Environment, program: str) -> None:
    """Its interposer sees the calls and finds nothing wrong in them."""
    passes(mpi, 2, program, {"JAXMPI_SANITIZE": "1"})


@pytest.mark.soak
@pytest.mark.runs_mpi
def test_large_counts(mpi: Environment) -> None:
    """Takes 7 GB of memory."""
    passes(mpi, 1, "large", {})
