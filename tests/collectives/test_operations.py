"""The operations as ranks see them: each program is a list of checks that all ranks carry out together."""

from __future__ import annotations

import pytest
from jobs import passes
from sanitizer.environments import Environment

CASES = [
    ("results", 1), ("results", 2), ("results", 3),
    ("order", 2), ("order", 3),
    ("mistakes", 1), ("mistakes", 2),
    ("batches", 2), ("batches", 3),
    ("gradients", 2), ("gradients", 3),
]  # fmt: skip


@pytest.mark.runs_mpi
@pytest.mark.parametrize(("program", "ranks"), CASES)
def test_checks_pass(mpi: Environment, program: str, ranks: int) -> None:
    passes(mpi, ranks, program, {})


@pytest.mark.runs_mpi
@pytest.mark.parametrize("program", ["results", "gradients"])
def test_checks_pass_under_the_sanitizer(mpi: Environment, program: str) -> None:
    """Its interposer sees the calls and finds nothing wrong in them."""
    passes(mpi, 2, program, {"JAXMPI_SANITIZE": "1"})


@pytest.mark.soak
@pytest.mark.runs_mpi
def test_large_counts(mpi: Environment) -> None:
    """Takes 7 GB of memory."""
    passes(mpi, 1, "large", {})
